import { type ApprovalConfig, approval } from './approval/approval.ts';
import { type AutomatedConfig, type AutomatedReport, automated } from './automated/automated.ts';
import { type ConditionConfig, type ConditionReport, condition } from './condition/condition.ts';
import type { PersonKind, ServerKind } from './kind.ts';
import { type ManualConfig, manual } from './manual/manual.ts';
import { type NotificationConfig, type NotificationReport, notification } from './notification/notification.ts';

/** The step types, in palette order (specification, section 3). */
export const STEP_TYPES = ['manual', 'approval', 'automated', 'condition', 'notification'] as const;
export type StepType = (typeof STEP_TYPES)[number];

/** Settings by step type. If a setting is absent, the type's default applies. */
export type StepConfigByType = {
  manual: ManualConfig;
  approval: ApprovalConfig;
  automated: AutomatedConfig;
  condition: ConditionConfig;
  notification: NotificationConfig;
};

/** How a step ended, for the types that the server executes. */
type ReportByType = {
  automated: AutomatedReport;
  condition: ConditionReport;
  notification: NotificationReport;
};

/** Every step type: its settings, its texts, and who performs it. */
export const STEP_KINDS = { manual, approval, automated, condition, notification } as const satisfies {
  [T in StepType]: T extends ServerStepType
    ? ServerKind<StepConfigByType[T], ReportByType[T]>
    : PersonKind<StepConfigByType[T]>;
};

/** The types that the server executes. */
export type ServerStepType = keyof ReportByType;
/** The types that a person performs. */
export type PersonStepType = Exclude<StepType, ServerStepType>;

/** The result of a step that the server executed; `kind` is the step's type. */
export type StepReport = { [T in ServerStepType]: { kind: T } & ReportByType[T] }[ServerStepType];

type StepOf<T extends StepType> = {
  id: string;
  type: T;
  title: string;
  description: string;
  /** Emails, roles, groups or `starter`, separated by commas, or `system`, `auto` or `Unassigned`; stored as typed. */
  assignee: string;
  /** Duration text (see `sla`), stored as typed; empty means no SLA. */
  sla: string;
  config: StepConfigByType[T];
  /** Ids of the steps that may follow; empty at the end of a path. */
  next: string[];
};

/** One step of a workflow (specification, section 3), a union on `type`. */
export type Step = { [T in StepType]: StepOf<T> }[StepType];
export type ManualStep = StepOf<'manual'>;
export type ApprovalStep = StepOf<'approval'>;
export type AutomatedStep = StepOf<'automated'>;
export type ConditionStep = StepOf<'condition'>;
export type NotificationStep = StepOf<'notification'>;
export type PersonStep = Extract<Step, { type: PersonStepType }>;
export type ServerStep = Extract<Step, { type: ServerStepType }>;

type AnyConfig = StepConfigByType[StepType];
type AnyServerKind = ServerKind<AnyConfig, ReportByType[ServerStepType]>;
type AnyKind = PersonKind<AnyConfig> | AnyServerKind;

/** Returns the kind of a step type, typed for any config. */
export const kindOf = (type: StepType): AnyKind => STEP_KINDS[type];

/** True if the server executes steps of the type, false if a person performs them. */
export const isServerType = (type: StepType): type is ServerStepType => STEP_KINDS[type].performedBy === 'server';

/** True if a person performs the step. */
export const isPersonStep = (step: Step): step is PersonStep => !isServerType(step.type);

/** Returns how a step ended, in words such as `by its script, 2 s`. */
export function reportWords(report: StepReport, inWords: (ms: number) => string): string {
  const kind: AnyServerKind = STEP_KINDS[report.kind];
  return kind.reportWords(report, inWords);
}

/** Returns the initial settings of a new step of the type, as a new copy. */
export function defaultConfig<T extends StepType>(type: T): StepConfigByType[T] {
  const settings = Object.entries<unknown>(STEP_KINDS[type].defaults.config);
  const copy = settings.map(([name, value]) => [name, Array.isArray(value) ? [...(value as unknown[])] : value]);
  return Object.fromEntries(copy) as StepConfigByType[T];
}
