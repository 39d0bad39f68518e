import type { StepReport } from '../steps/index.ts';
import type { HandedTo, Json, JsonObject, RestartedRun } from './state.ts';

/** Why a person no longer has their steps. A disabled account counts as if its person had left. */
export type LeaverReason = 'member_left' | 'member_removed' | 'account_disabled';

/** A person's command for a run. */
export type PersonCommand =
  | { type: 'start'; restartOf?: RestartedRun | undefined }
  /**
   * Manual step: `output.text` and the form values in `output.fields` are the input. Approval step: approves it, with
   * `output.text` or, if that is empty, `notes` as the comments.
   */
  | { type: 'complete'; stepId: string; output?: JsonObject | undefined; notes?: string | null | undefined }
  /** Agrees to skip the step; it is skipped once enough people have agreed. */
  | { type: 'skip'; stepId: string; reason?: string | null | undefined }
  /** Votes on an approval step, or approves a manual step's input. */
  | { type: 'approve'; stepId: string; comments?: string | null | undefined }
  /** Rejects an approval step, or returns a manual step's input. */
  | { type: 'reject'; stepId: string; comments: string }
  /** Claims a manual step for the actor. */
  | { type: 'claim'; stepId: string }
  /**
   * Returns a step to the people who had it before: those that it names, the group that it was handed over to or, for
   * an approval step, a person who handed their approval over. `because` is set if the holder leaves the organization
   * or is disabled. Such a release is possible while the run is paused or has failed, too.
   */
  | { type: 'release'; stepId: string; holderId: string; because?: LeaverReason | undefined }
  /**
   * Hands a step over. The receiver's actions also count as those of the people in `alsoIds`, which matters on approval
   * steps. `formerEmails` are the receiver's earlier addresses, by which the step can already name them. `because` is
   * set if the holder of a manual step leaves the organization or is disabled. Such a hand-over is possible while the
   * run is paused or has failed, too.
   */
  | {
      type: 'hand_over';
      stepId: string;
      to: HandedTo;
      alsoIds?: readonly string[] | undefined;
      formerEmails?: readonly string[] | undefined;
      reason: string;
      because?: LeaverReason;
    }
  | { type: 'pause'; reason?: string | null | undefined }
  | { type: 'resume' }
  | { type: 'cancel'; reason: string }
  /** `from` is the run's current priority, which isn't part of its state. */
  | { type: 'set_priority'; from: string; to: string; reason?: string | null | undefined }
  /** `othersCan`: whether anyone but the rejected people may retry; true if absent. Only matters after a rejection. */
  | { type: 'retry'; stepId: string; othersCan?: boolean | undefined };

/**
 * Reports from the server's jobs. Each report names the step's activation, so that a late or repeated report changes
 * nothing. A run that isn't running refuses reports too. After `run_resumed` and `step_retried`, the jobs of all
 * `pendingSystemSteps` must be created again.
 */
export type SystemCommand =
  | {
      type: 'finish_step';
      stepId: string;
      activation: number;
      /** The step's result; its `kind` is the step's type. */
      report: StepReport;
      output: Json;
      /** The lines that a script wrote with `log(…)`. */
      log?: readonly string[] | undefined;
    }
  | {
      type: 'fail_step';
      stepId: string;
      activation: number;
      reason: string;
      simulated?: boolean | undefined;
      log?: readonly string[] | undefined;
    };

/**
 * Records the crossings, reminders and the escalation of a pause that became due since the last check; `againAfterMs`
 * is the workflow's current interval of reminders. If none is due, there are no facts.
 */
export type WatchCommand = { type: 'watch_clocks'; againAfterMs: number | null };

export type RunCommand = PersonCommand | SystemCommand | WatchCommand;
