/** External systems of a run: message channels, and scripts. */
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
  /** Maximum characters of a text, entries of a list, or the largest number. */
  readonly limit?: number;
  /** Maximum characters of each entry of a list. */
  readonly entryLimit?: number;
  /** How a change is displayed: as a whole, or as code. Absent: word by word. */
  readonly form?: 'whole' | 'code';
  /** The setting names a step: a next one, which is also in `next`, or an earlier one to which a run returns. */
  readonly names?: 'next' | 'earlier';
  /** The step's answer that leads to the step that the setting names. */
  readonly answer?: 'Yes' | 'No';
  /** The setting decides which code runs or who is reached, so direction controls in it are refused. */
  readonly isExact?: true;
};

/** A value in a step's output for later steps; dots in `name` lead into it. */
export type OutputName = { name: string; label: string; sample: unknown };

/** The details of an element from another tool that determine settings. */
export type DrawnStep = {
  kind: string;
  hasAssignee: boolean;
  script: { text: string; format: string } | null;
  /** The condition of each way out, empty if it has none; a decision takes the first if it is true. */
  conditions: readonly string[];
  /** The target ids of each way out. */
  targets: readonly (readonly string[])[];
};
/** Records a part of an element that a step can't represent, and why. */
export type NoteLeftOut = (what: string, reason: string) => void;

/** Formats milliseconds for a reader. */
export type InWords = (ms: number) => string;

type Kind<Config extends object> = {
  /** The type's name on screen. */
  readonly name: string;
  /** True if the step does work that an approval can precede. */
  readonly isWork: boolean;
  /** The initial SLA text and settings of a new step. */
  readonly defaults: { readonly sla: string; readonly config: DeepReadonly<Config> };
  readonly settings: { readonly [Name in keyof Config]-?: Setting };
  readonly bpmn: {
    /** The BPMN element for the step. */
    readonly element: StepElement;
    /** Elements of other tools that become this type; any unlisted one becomes manual. */
    readonly readFrom: readonly StepElement[];
    /** The title of a step from an element without a name. */
    readonly nameless: string;
    configOf(drawn: DrawnStep, note: NoteLeftOut): Config;
  };
  /** The outputs that later steps can use; empty if only a run shows them, null if the step has no output. */
  outputs(config: Config): readonly OutputName[] | null;
  /** The step's rules, without its task, as sentences without a full stop. */
  rules(config: Config, inWords: InWords): string[];
  /** External systems that a run reaches with this step. */
  integrations(config: Config): readonly Integration[];
};

/** A step type for people. */
export type PersonKind<Config extends object> = Kind<Config> & { readonly performedBy: 'person' };

/** A step type for the server; `Report` describes how such a step ended. */
export type ServerKind<Config extends object, Report> = Kind<Config> & {
  readonly performedBy: 'server';
  /** How a step ended, in words. */
  reportWords(report: Report, inWords: InWords): string;
};

type DeepReadonly<T> = { readonly [K in keyof T]: T[K] extends object | undefined ? DeepReadonly<T[K]> : T[K] };
