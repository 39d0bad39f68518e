import type { FieldKind } from './manual/input-fields.ts';

/** The message channels that a run can use, and scripts. */
export const INTEGRATIONS = ['email', 'slack', 'in-app', 'script'] as const;
export type Integration = (typeof INTEGRATIONS)[number];

/** The BPMN elements that can be a step. */
export const STEP_ELEMENTS = [
  'task',
  'userTask',
  'manualTask',
  'scriptTask',
  'serviceTask',
  'sendTask',
  'exclusiveGateway',
] as const;
export type StepElement = (typeof STEP_ELEMENTS)[number];

/** One setting of a step type. */
export type Setting = {
  /** The name shown to people. */
  readonly label: string;
  /** The maximum number of characters or list entries, or the largest number. */
  readonly limit?: number;
  /** The maximum number of characters in each list entry. */
  readonly entryLimit?: number;
  /** How a change is displayed: as a whole, or as code. If absent, word by word. */
  readonly form?: 'whole' | 'code';
  /**
   * Set if the setting names a step: a next step, which is also in `next`, or an earlier step that a run returns to.
   */
  readonly names?: 'next' | 'earlier';
  /** The answer of a condition that leads to the step named by the setting. */
  readonly answer?: 'Yes' | 'No';
  /** True if the setting decides which code runs or who is notified; direction controls in it are refused. */
  readonly isExact?: true;
  /** True if the text can contain placeholders such as {{run.name}}. */
  readonly isTemplate?: true;
};

/** Whether people may skip a step. If `skip` is absent, they can agree to skip it, with a reason. */
export type Skippable = { skip?: 'never' };
/** The setting of `Skippable`. */
export const SKIP = { label: 'Skipping', form: 'whole' } as const satisfies Setting;
/** Returns the setting as a rule, a sentence without a full stop; empty if the step can be skipped. */
export const skipRule = (skip: Skippable['skip']): string[] => (skip === 'never' ? ['Nobody can skip this step'] : []);

/** A value in a step's output that later steps can use; dots in `name` lead into nested values. */
export type OutputName = {
  name: string;
  label: string;
  sample: string | number | boolean | readonly string[];
  kind: FieldKind;
  options?: readonly string[];
};

/**
 * A weakness of a step's settings. `error`: every run that reaches the step fails, the step has no effect, or its
 * message has an unknown placeholder. `warning`: it runs, but probably not as intended. `sentence` describes the effect
 * and follows the step's title.
 */
export type Finding = { severity: 'error' | 'warning'; code: string; sentence: string };

/** The details of an element from another tool that determine settings. */
export type DrawnStep = {
  kind: string;
  hasAssignee: boolean;
  script: { text: string; format: string } | null;
  /**
   * The condition of each way out; empty if it has none. A decision takes the first way out if the condition is true.
   */
  conditions: readonly string[];
  /** The target ids of each way out. */
  targets: readonly (readonly string[])[];
};
/** Records a part of an element that can't be imported into a step, and why. */
export type NoteLeftOut = (what: string, reason: string) => void;

/** Formats milliseconds for a reader. */
export type InWords = (ms: number) => string;

type Kind<Config extends object> = {
  /** The type's name on screen. */
  readonly name: string;
  /** True if the step does work that a later approval can wait for. */
  readonly isWork: boolean;
  /** The initial SLA text and settings of a new step. */
  readonly defaults: { readonly sla: string; readonly config: DeepReadonly<Config> };
  readonly settings: { readonly [Name in keyof Config]-?: Setting };
  readonly bpmn: {
    /** The BPMN element for the step. */
    readonly element: StepElement;
    /** Elements from other tools that become this type. An element that no type lists becomes a manual step. */
    readonly readFrom: readonly StepElement[];
    /** The title of a step made from an element without a name. */
    readonly nameless: string;
    configOf(drawn: DrawnStep, note: NoteLeftOut): Config;
  };
  /**
   * Returns the values in the output that later steps can use. Empty if they aren't known in advance, as for a script,
   * and null if the step has no output.
   */
  outputs(config: Config): readonly OutputName[] | null;
  /** Returns the step's rules as sentences without a full stop; its task is not included. */
  rules(config: Config, inWords: InWords): string[];
  /** Returns the weaknesses of these settings, to be shown before a review. `assignee` is as typed. */
  findings(step: { config: Config; assignee: string }): readonly Finding[];
  /** Returns the integrations that a run uses at this step. */
  integrations(config: Config): readonly Integration[];
};

/** A step type that a person performs. */
export type PersonKind<Config extends object> = Kind<Config> & { readonly performedBy: 'person' };

/** A step type that the server executes; `Report` describes how such a step ended. */
export type ServerKind<Config extends object, Report> = Kind<Config> & {
  readonly performedBy: 'server';
  /** Returns how a step ended, in words. */
  reportWords(report: Report, inWords: InWords): string;
};

type DeepReadonly<T> = { readonly [K in keyof T]: T[K] extends object | undefined ? DeepReadonly<T[K]> : T[K] };
