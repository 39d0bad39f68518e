import type { FieldValueProblem, StepType } from '../steps/index.ts';
import type { RunStatus, StepState } from './state.ts';

/** The reason why a run refuses a command. The run is then unchanged. */
export type RunRefusal =
  | { code: 'already_started' }
  | { code: 'not_started' }
  | { code: 'no_steps' }
  | { code: 'unknown_step'; stepId: string }
  | { code: 'run_paused' }
  | { code: 'run_finished'; status: Exclude<RunStatus, 'running' | 'paused'> }
  | { code: 'run_not_paused' }
  /** The run already has this priority. */
  | { code: 'priority_unchanged' }
  | { code: 'step_not_active'; stepId: string; state: StepState['state'] }
  | { code: 'step_not_failed'; stepId: string; state: StepState['state'] }
  /** A person can't execute this command on a step of this type. */
  | { code: 'not_a_person_step'; stepId: string; type: StepType }
  /** A job reports on a step of a different type. */
  | { code: 'wrong_step_type'; stepId: string; type: StepType }
  | { code: 'stale_activation'; stepId: string; activation: number; current: number }
  | { code: 'input_required'; stepId: string }
  /** The values for a manual step's form are invalid; one or more problems. */
  | { code: 'invalid_fields'; stepId: string; problems: FieldValueProblem[] }
  | { code: 'comments_required'; stepId: string }
  | { code: 'reason_required'; stepId?: string }
  /** The input of a manual step is already waiting for approval. */
  | { code: 'already_submitted'; stepId: string }
  /** The manual step has no input that waits for approval. */
  | { code: 'not_submitted'; stepId: string }
  /**
   * `through`: the other account that submitted the input and whose actions count as this person's; absent if the
   * person submitted it with this account. `nobodyElse`: nobody else may decide it. `canReject`: that account isn't
   * proved, so they can still return the input.
   */
  | { code: 'own_submission'; stepId: string; through?: string; nobodyElse?: true; canReject?: true }
  | { code: 'already_voted'; stepId: string; through?: string }
  /** The workflow doesn't allow anyone to skip this step. */
  | { code: 'skip_never'; stepId: string }
  /** The person has already agreed to skip this step. */
  | { code: 'already_agreed'; stepId: string; votes: number; required: number }
  /** A stand-in has to give a reason. */
  | { code: 'stand_in_reason_required'; stepId: string }
  /**
   * A decision with a mark doesn't count under strict review. `who` and `names` are the people whose addresses must be
   * proved.
   */
  | { code: 'reviewer_not_counted_yet'; missing: string; from: null; who: string[]; names: string[] }
  /** Someone else has claimed the step, or it was handed over to them. */
  | { code: 'already_claimed'; stepId: string; name: string }
  /** The person or group that should get the step already has it. */
  | { code: 'already_theirs'; stepId: string; name: string }
  /**
   * The person has neither claimed the step nor received it in a hand-over, or they are leaving and have already voted
   * on it.
   */
  | { code: 'not_claimed'; stepId: string }
  | { code: 'handed_to_oneself'; stepId: string }
  /** The person handed their approval over to someone else, and can't decide the step themselves. */
  | { code: 'approval_handed_over'; stepId: string; name: string }
  /** An approval can be handed over only to one person. */
  | { code: 'approval_to_group'; stepId: string }
  /**
   * The person couldn't approve the step: they, or someone whose actions count as theirs, have voted or agreed to skip
   * already, have handed their own approval over, or did the previous work. Or the giver, whom they would replace, may
   * have done that work.
   */
  | {
      code: 'hand_over_barred';
      stepId: string;
      name: string;
      why: 'has_voted' | 'has_handed_over' | 'did_work' | 'giver_did_work';
    }
  /** The person's work was rejected, and someone else may retry the step. */
  | { code: 'rejected_cannot_retry'; stepId: string }
  /**
   * The person is one of the last people on some path to the step, or `through` is: another account whose actions count
   * as this person's. `completedStepId` is the step they contributed to. `canReject`: only unproved accounts connect
   * them with the work, so they can still reject it.
   */
  | { code: 'separate_from'; stepId: string; completedStepId: string; through?: string; canReject?: true };

type RunRefusalCode = RunRefusal['code'];

const EVERY_CODE: Record<RunRefusalCode, true> = {
  already_started: true,
  not_started: true,
  no_steps: true,
  unknown_step: true,
  run_paused: true,
  run_finished: true,
  run_not_paused: true,
  priority_unchanged: true,
  step_not_active: true,
  step_not_failed: true,
  not_a_person_step: true,
  wrong_step_type: true,
  stale_activation: true,
  input_required: true,
  invalid_fields: true,
  comments_required: true,
  reason_required: true,
  already_submitted: true,
  not_submitted: true,
  own_submission: true,
  already_voted: true,
  skip_never: true,
  already_agreed: true,
  stand_in_reason_required: true,
  reviewer_not_counted_yet: true,
  already_claimed: true,
  already_theirs: true,
  not_claimed: true,
  handed_to_oneself: true,
  approval_handed_over: true,
  approval_to_group: true,
  hand_over_barred: true,
  rejected_cannot_retry: true,
  separate_from: true,
};

/** All refusal codes of a run; this doesn't compile if one is missing. */
export const RUN_REFUSAL_CODES = Object.keys(EVERY_CODE) as readonly RunRefusalCode[];
