import type { InputField, NotificationChannel, StepType } from '../../steps/index.ts';

/**
 * The effect of a change on the controls of a workflow. `unknown`: only a person can judge whether control is lost, so
 * it can require the same approvals as a loss.
 */
export type FindingEffect = 'loss' | 'unknown' | 'gain' | 'neutral';
export const FINDING_EFFECTS = ['loss', 'unknown', 'gain', 'neutral'] as const satisfies readonly FindingEffect[];

/** A step by its id and its name: the title, with the id if another step has the same title (see `nameSteps`). */
export type NamedStep = { stepId: string; title: string };
/** Steps named in a finding, in row order: the first `MAX_NAMED`; `more` is the number of others. */
export type NamedSteps = { steps: NamedStep[]; more: number };
/** An SLA as typed; `ms` is null if the text can't be parsed. */
export type Clock<Ms = number | null> = { text: string; ms: Ms };

/** Maximum number of steps named in one list of a finding. */
export const MAX_NAMED = 20;

/** One variant for each code. `before` and `after` are the values of the changed dimension. */
type Change =
  /** `before`: how many people had to approve. */
  | { code: 'approval_removed'; before: number; after: null; covers: FindingCode[] }
  /**
   * `how` is `before` if an approval no longer precedes the steps, and `after` if it can be given before the steps are
   * done. It is `start` if a step that had an approval before it now begins the run. If `signOff` is set, the control
   * is the sign-off of a manual step.
   */
  | { code: 'approval_bypassed'; how: 'before' | 'after'; signOff: boolean; before: NamedSteps; after: null }
  | { code: 'approval_bypassed'; how: 'start'; before: null; after: null }
  | { code: 'fewer_approvers'; before: number; after: number }
  /**
   * Addresses, roles, groups and `starter`. `after` is empty if anyone who can review may decide or, for a sign-off,
   * anyone who can act on the step.
   */
  | { code: 'approver_widened'; signOff: boolean; before: string[]; after: string[] }
  /** The people who did the previous work may now approve too. */
  | { code: 'separation_dropped'; how: 'setting'; before: true; after: false }
  /**
   * Steps that a person performs or may skip (`after`) now separate the work (`before`) from the approval that must be
   * independent of it.
   */
  | { code: 'separation_dropped'; how: 'between'; before: NamedStep; after: NamedSteps }
  /** The input of a manual step no longer needs another person's approval. */
  | { code: 'sign_off_dropped'; before: true; after: false }
  /** The step that a rejection returns to; null if it fails the run. */
  | { code: 'rejection_softened'; before: NamedStep | null; after: NamedStep | null }
  /** People can agree to skip the step. */
  | { code: 'skip_allowed'; before: 'never'; after: null }
  | { code: 'clock_removed' | 'clock_loosened'; before: Clock<number>; after: Clock }
  /** The changed fields of a form. `after` doesn't contain removed ones. Fields for files count as evidence. */
  | { code: 'evidence_dropped' | 'field_loosened'; before: InputField[]; after: InputField[] }
  | { code: 'recipient_lost'; how: 'recipients'; before: string[]; after: string[] }
  | { code: 'recipient_lost'; how: 'channels'; before: NotificationChannel[]; after: NotificationChannel[] }
  | { code: 'type_changed'; before: StepType; after: StepType }
  /** The expression. `before` is null if the condition is new. */
  | { code: 'condition_changed'; how: 'expression'; before: string | null; after: string }
  /**
   * `before`: steps that no longer follow an answer. `after`: steps that every run used to pass and that now depend on
   * an answer.
   */
  | { code: 'condition_changed'; how: 'branches'; before: NamedSteps; after: NamedSteps }
  /** `before` is null if the step is new. */
  | { code: 'script_changed'; before: string | null; after: string }
  | { code: 'step_removed'; before: StepType; after: null; covers: FindingCode[] }
  | { code: 'people_changed'; before: string[]; after: string[] }
  /** Steps that no longer wait for others (`waitedFor`). */
  | { code: 'reordered'; how: 'waits'; before: NamedSteps; waitedFor: NamedSteps; after: null }
  | { code: 'reordered'; how: 'rows'; before: null; after: null }
  | { code: 'restored_version'; before: null; after: number }
  | { code: 'new_workflow' | 'text_only'; before: null; after: null }
  /** The comparison failed, so the draft may have weakened anything. */
  | { code: 'unclassified'; before: null; after: null };

/** The codes, most severe first. */
export const FINDING_CODES = [
  'unclassified',
  'approval_removed',
  'approval_bypassed',
  'fewer_approvers',
  'approver_widened',
  'separation_dropped',
  'sign_off_dropped',
  'rejection_softened',
  'skip_allowed',
  'clock_removed',
  'clock_loosened',
  'evidence_dropped',
  'field_loosened',
  'recipient_lost',
  'type_changed',
  'condition_changed',
  'script_changed',
  'step_removed',
  'people_changed',
  'reordered',
  'restored_version',
  'new_workflow',
  'text_only',
] as const satisfies readonly Change['code'][];
export type FindingCode = Change['code'];

/**
 * The meaning of a change for runs of the workflow: the weakened control, or why a person has to judge it. `stepId` is
 * null if it concerns the whole workflow. `covers` of a removed step lists the codes of the controls that it had.
 * People who have to approve the loss of such a control also have to approve the removal.
 */
export type ChangeFinding = { stepId: string | null; title: string; effect: FindingEffect } & Change;

/** The only finding if the comparison failed. Every group that a route for the workflow names has to approve it. */
export const UNCLASSIFIED: ChangeFinding = {
  stepId: null,
  title: '',
  effect: 'unknown',
  code: 'unclassified',
  before: null,
  after: null,
};

/** True if someone may have to approve the change because of this finding. */
export const isAlarm = ({ effect }: Pick<ChangeFinding, 'effect'>): boolean =>
  effect === 'loss' || effect === 'unknown';
