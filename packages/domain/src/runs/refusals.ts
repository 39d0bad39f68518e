import type { FieldValueProblem } from '../workflows/input-fields.ts';
import type { StepType } from '../workflows/step.ts';
import type { RunStatus, StepState } from './state.ts';

/** Why a run doesn't do what it was asked. Nothing has changed then. */
export type RunRefusal =
  | { code: 'already_started' }
  | { code: 'not_started' }
  | { code: 'no_steps' }
  | { code: 'unknown_step'; stepId: string }
  | { code: 'run_paused' }
  | { code: 'run_finished'; status: Exclude<RunStatus, 'running' | 'paused'> }
  | { code: 'run_not_paused' }
  | { code: 'step_not_active'; stepId: string; state: StepState['state'] }
  | { code: 'step_not_failed'; stepId: string; state: StepState['state'] }
  /** A person can't do this to a step of this type. */
  | { code: 'not_a_person_step'; stepId: string; type: StepType }
  /** A job reports on a step that is not of its kind. */
  | { code: 'wrong_step_type'; stepId: string; type: StepType }
  | { code: 'stale_activation'; stepId: string; activation: number; current: number }
  | { code: 'input_required'; stepId: string }
  /** What was given for the fields of a manual step's form can't be taken; one or more problems. */
  | { code: 'invalid_fields'; stepId: string; problems: FieldValueProblem[] }
  | { code: 'comments_required'; stepId: string }
  | { code: 'reason_required'; stepId?: string }
  /** The input of a manual step waits for approval already. */
  | { code: 'already_submitted'; stepId: string }
  /** A manual step without input that waits for approval. */
  | { code: 'not_submitted'; stepId: string }
  | { code: 'own_submission'; stepId: string }
  | { code: 'already_voted'; stepId: string }
  /** They have agreed to skip this step before. */
  | { code: 'already_agreed'; stepId: string; votes: number; required: number }
  /** Someone who acts for those a step names says why. */
  | { code: 'stand_in_reason_required'; stepId: string }
  /** Someone else may retry the step over this rejection. */
  | { code: 'rejected_cannot_retry'; stepId: string }
  /** The person is one of the last before the step on a path to it; the step they had a hand in is named here. */
  | { code: 'separate_from'; stepId: string; completedStepId: string };

type RunRefusalCode = RunRefusal['code'];

const EVERY_CODE: Record<RunRefusalCode, true> = {
  already_started: true,
  not_started: true,
  no_steps: true,
  unknown_step: true,
  run_paused: true,
  run_finished: true,
  run_not_paused: true,
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
  already_agreed: true,
  stand_in_reason_required: true,
  rejected_cannot_retry: true,
  separate_from: true,
};

/** All refusal codes of a run; a code that is missing here doesn't compile. */
export const RUN_REFUSAL_CODES = Object.keys(EVERY_CODE) as readonly RunRefusalCode[];
