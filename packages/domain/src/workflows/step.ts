import type { InputField } from './input-fields.ts';

/** The five step types, in the order that palettes show them (specification, section 3). */
export const STEP_TYPES = ['manual', 'approval', 'automated', 'condition', 'notification'] as const;
export type StepType = (typeof STEP_TYPES)[number];

/** Channels over which a notification step can be sent. */
export const NOTIFICATION_CHANNELS = ['email', 'slack', 'in-app'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** Type-specific settings; an absent field means its default in `step-defaults.ts`. */
export type StepConfigByType = {
  manual: {
    assignedRole?: string;
    /** Another person approves the input. */
    requiresApproval?: boolean;
    /** The form that a person fills in, in its order. */
    fields?: InputField[];
  };
  approval: {
    assignedRole?: string;
    requiresApproval?: boolean;
    /** How many people have to approve; at least 1. */
    minimumApprovers?: number;
    /** A step before this one that a rejection returns the run to; absent: a rejection fails the run. */
    onReject?: string;
    /** Refuse the vote of the person who completed the step before. */
    separateFrom?: boolean;
  };
  automated: {
    /** Body of a function of `outputs`, `run` and `step`; absent or blank: the simulation. */
    script?: string;
    /** Seconds. */
    timeout?: number;
  };
  condition: {
    /** A FEEL expression over the run's outputs. */
    condition?: string;
    /** Step ids; each also stands in the step's `next`. */
    trueNext?: string;
    falseNext?: string;
  };
  notification: { recipients?: string[]; template?: string; channels?: NotificationChannel[] };
};

type StepOf<T extends StepType> = {
  id: string;
  type: T;
  title: string;
  description: string;
  /** An e-mail, a role, `system`, `auto` or `Unassigned`; kept as typed. */
  assignee: string;
  /** Duration text (see the sla room); empty means no clock; kept as typed. */
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

export type WorkflowMetadata = { title: string; description: string };

/** What a version fixes, what an approval is of, and what a content hash covers. */
export type WorkflowContent = { metadata: WorkflowMetadata; steps: Step[] };

/** Limits of a workflow (rulings, section 4). Lengths in characters. */
export const LIMITS = {
  key: 120,
  title: 200,
  description: 5000,
  stepTitle: 300,
  stepDescription: 20_000,
  steps: 1000,
  nextPerStep: 200,
} as const;
