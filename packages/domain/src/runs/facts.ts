import type { AddedMark } from '../access/performers.ts';
import type { ActsFor } from '../access/step-access.ts';
import type { Deadline } from '../sla/deadline.ts';
import type { DecisionMark } from './mark-words.ts';
import type { StepReport } from '../steps/index.ts';
import type { LeaverReason } from './commands.ts';
import type { Given, HandedTo, Json, JsonObject, RestartedRun, Return, RunActor } from './state.ts';

type Dated = { at: number; by: RunActor };
type OfStep = Dated & { stepId: string; activation: number };
/** A person's action on a step; `actsFor` is absent if the step names them or nobody. */
type ByPerson = OfStep & { actsFor?: ActsFor };
/**
 * A decision; `marks` are absent if there are none. `addedBy` is the name of the person who added the actor to the
 * group or gave them the role; set for the marks `added_…` and `role_…`.
 */
type Decided = ByPerson & { marks?: readonly DecisionMark[]; addedBy?: string };
/** Lines that a script wrote; absent if there are none. They are part of the history, not of the state. */
type Logged = { log?: readonly string[] };

/**
 * An event in a run, as plain JSON. Facts are ordered. `at` is in epoch milliseconds. `by` is the person, token or
 * server that caused it; automatic consequences, such as the activation of the next step, have the same `by`.
 */
export type RunFact =
  | (Dated & { type: 'run_started'; targetMs: number | null; deadline?: Deadline; restartOf?: RestartedRun })
  | (OfStep & { type: 'step_activated'; dueAt: number | null; riskAt?: number; returned: Return | null })
  /** Input for a manual step that another person has to approve. */
  | (ByPerson & Given & { type: 'step_submitted'; output: JsonObject; notes: string | null })
  /** The input was returned to its author; the step stays active, and its clock continues. */
  | (Decided & { type: 'step_returned'; comments: string; submitterId?: string })
  /** One approval. `votes` is the number of approvals so far, including this one. */
  | (Decided & { type: 'step_approved'; comments: string | null; votes: number; required: number })
  /**
   * A rejection of an approval step. `returnsTo` is the step's `onReject`; null if it isn't set and the run fails. If
   * there are earlier `stepsToRedo`, they become active instead. `approvalMark`: see `Rejection`.
   */
  | (Decided & { type: 'step_rejected'; comments: string; returnsTo: string | null; approvalMark?: AddedMark })
  | (ByPerson & {
      type: 'step_completed';
      output: Json;
      notes: string | null;
      report: StepReport | null;
      usedShare?: number;
    } & Given &
      Logged)
  | (OfStep & { type: 'step_failed'; reason: string; simulated?: boolean } & Logged)
  /** One agreement to skip a step. `votes` is the number of agreements so far, including this one. */
  | (Decided & { type: 'step_skip_agreed'; reason: string; votes: number; required: number })
  /** `onward`: see `SkippedStep`. */
  | (Decided & Given & { type: 'step_skipped'; reason: string | null; onward: boolean })
  | (OfStep & { type: 'step_claimed' })
  /** `holder` is the person who had claimed the step, or to whom it had been handed over. */
  | (OfStep & { type: 'step_released'; holder: { id: string; name: string }; because?: LeaverReason })
  /** `givers`: see `HandOver`. */
  | (OfStep & {
      type: 'step_handed_over';
      handedTo: HandedTo;
      reason: string;
      isOfApproval?: true;
      givers?: readonly RunActor[];
    })
  /** A rejection, or the retry after one, reset the step: it is waiting again. */
  | (OfStep & { type: 'step_reset' })
  /**
   * The run is running again, and the activation of the step, or of steps to redo, follows. `activation` is the one
   * that failed.
   */
  | (OfStep & { type: 'step_retried'; retriedAlone?: boolean; marks?: readonly DecisionMark[] })
  /** `reason` is null if there is none, and absent from pauses recorded before this field existed. */
  | (Dated & { type: 'run_paused'; reason?: string | null })
  /** The run has been paused for `PAUSE_ESCALATES_MS`. */
  | (Dated & { type: 'run_pause_escalated'; pausedSince: number })
  | (Dated & {
      type: 'run_resumed';
      pausedMs: number;
      /** With working hours: the new due times of the run and its active steps. */
      deadline?: Deadline;
      deadlines?: { [stepId: string]: Deadline };
    })
  | (Dated & { type: 'run_completed' })
  | (Dated & { type: 'run_failed'; stepId: string; reason: string })
  | (Dated & { type: 'run_cancelled'; reason: string })
  | (Dated & { type: 'run_priority_changed'; from: string; to: string; reason: string | null })
  /** A clock crossed the time `crossedAt`: a step's clock, or the run's own, which has no step. */
  | (OfStep & Crossing)
  | (Dated & { stepId: null } & Crossing)
  /** A step is still active after its breach; `reminders` includes this one. */
  | (OfStep & { type: 'sla_reminded'; reminders: number });

/** `againAfterMs`: the interval of reminders from now on, null for none. */
type Crossing =
  | { type: 'sla_at_risk'; crossedAt: number }
  | { type: 'sla_breached'; crossedAt: number; againAfterMs: number | null };

export type RunFactType = RunFact['type'];
