import type { ActsFor } from '../access/step-access.ts';
import type { Deadline } from '../sla/deadline.ts';
import type { Json, JsonObject, RestartedRun, Return, RunActor, StepReport } from './state.ts';

type Dated = { at: number; by: RunActor };
type OfStep = Dated & { stepId: string; activation: number };
/** What a person did to a step; `actsFor` is absent if the step names them. */
type ByPerson = OfStep & { actsFor?: ActsFor };
/** Lines that a script wrote; absent where it wrote none. They live in the history alone, not in the state. */
type Logged = { log?: readonly string[] };

/**
 * What happened to a run, in the order it happened; plain JSON. `at` is epoch milliseconds, `by` who caused it: for what
 * follows by itself, such as the activation of the next step, the one who caused that.
 */
export type RunFact =
  | (Dated & { type: 'run_started'; targetMs: number | null; deadline?: Deadline; restartOf?: RestartedRun })
  | (OfStep & { type: 'step_activated'; dueAt: number | null; riskAt?: number; returned: Return | null })
  /** The input of a manual step that someone else has to approve. */
  | (ByPerson & { type: 'step_submitted'; output: JsonObject; notes: string | null })
  /** Such input was sent back to whoever had given it; the step stays active, its clock goes on. */
  | (ByPerson & { type: 'step_returned'; comments: string; submitterId?: string })
  /** One vote. `votes` counts this one too. */
  | (ByPerson & { type: 'step_approved'; comments: string | null; votes: number; required: number })
  /** Of an approval step; `returnsTo` is the step that becomes active again, null where the run fails instead. */
  | (ByPerson & { type: 'step_rejected'; comments: string; returnsTo: string | null })
  | (ByPerson & {
      type: 'step_completed';
      output: Json;
      notes: string | null;
      report: StepReport | null;
      usedShare?: number;
    } & Logged)
  | (OfStep & { type: 'step_failed'; reason: string; simulated?: boolean } & Logged)
  /** One agreement to skip a step. `votes` counts this one too. */
  | (ByPerson & { type: 'step_skip_agreed'; reason: string; votes: number; required: number })
  /** `onward`: see `SkippedStep`. */
  | (ByPerson & { type: 'step_skipped'; reason: string | null; onward: boolean })
  /** Undone by a rejection: it waits, as if it had never been active. */
  | (OfStep & { type: 'step_reset' })
  /** The run is running again; the step's activation follows. `activation` is the one that failed. */
  | (OfStep & { type: 'step_retried'; retriedAlone?: boolean })
  /** `reason` is null if none was given, and absent from pauses that began before it was recorded. */
  | (Dated & { type: 'run_paused'; reason?: string | null })
  /** It has been paused for `PAUSE_ESCALATES_MS`. */
  | (Dated & { type: 'run_pause_escalated'; pausedSince: number })
  | (Dated & {
      type: 'run_resumed';
      pausedMs: number;
      /** Where working hours are counted: when the run and its active steps are due now. */
      deadline?: Deadline;
      deadlines?: { [stepId: string]: Deadline };
    })
  | (Dated & { type: 'run_completed' })
  | (Dated & { type: 'run_failed'; stepId: string; reason: string })
  | (Dated & { type: 'run_cancelled'; reason: string })
  /** A clock crossed the moment `crossedAt`: of a step, or of the run as a whole, which has no step. */
  | (OfStep & Crossing)
  | (Dated & { stepId: null } & Crossing)
  /** A step that was breached still waits; `reminders` counts this one too. */
  | (OfStep & { type: 'sla_reminded'; reminders: number });

/** `againAfterMs`: how often people are told again from now on, null for never. */
type Crossing =
  | { type: 'sla_at_risk'; crossedAt: number }
  | { type: 'sla_breached'; crossedAt: number; againAfterMs: number | null };

export type RunFactType = RunFact['type'];
