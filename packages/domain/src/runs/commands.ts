import type { Json, JsonObject, RestartedRun } from './state.ts';

/** What a person asks of a run (rulings, section 6). */
export type PersonCommand =
  | { type: 'start'; restartOf?: RestartedRun | undefined }
  /** Manual: `output.text` is the input. Approval: an approval, with `output.text` as its comments. */
  | { type: 'complete'; stepId: string; output?: JsonObject | undefined; notes?: string | null | undefined }
  /** Agrees to skip the step; it is skipped once enough people have agreed. */
  | { type: 'skip'; stepId: string; reason?: string | null | undefined }
  /** A vote on an approval step, or the approval of a manual step's input. */
  | { type: 'approve'; stepId: string; comments?: string | null | undefined }
  /** Of an approval step, or the return of a manual step's input. */
  | { type: 'reject'; stepId: string; comments: string }
  | { type: 'pause'; reason?: string | null | undefined }
  | { type: 'resume' }
  | { type: 'cancel'; reason: string }
  /** `othersCan`: whether anyone but those rejected may retry; only after a rejection does it matter. */
  | { type: 'retry'; stepId: string; othersCan?: boolean | undefined };

/**
 * What the server's jobs report. Each names the activation that it was made for, so that a result that comes late, or
 * twice, changes nothing. A paused or failed run refuses them as well: after `run_resumed` and `step_retried` the jobs of
 * all `pendingSystemSteps` have to be made again.
 */
export type SystemCommand =
  | {
      type: 'finish_automated';
      stepId: string;
      activation: number;
      output: Json;
      /** How long the work took, in milliseconds, where that is not the time between the facts. */
      reportedMs?: number | undefined;
      simulated?: boolean | undefined;
      /** What a script wrote by `log(…)`, line by line. */
      log?: readonly string[] | undefined;
    }
  | {
      type: 'fail_step';
      stepId: string;
      activation: number;
      reason: string;
      simulated?: boolean | undefined;
      log?: readonly string[] | undefined;
    }
  | { type: 'decide_condition'; stepId: string; activation: number; result: boolean }
  /** Recipients that couldn't be reached don't fail the step. */
  | { type: 'finish_notification'; stepId: string; activation: number; undeliverable: string[] };

/** Records which clocks have crossed a moment since the last look; `againAfterMs` is the workflow's of now. No facts, no news. */
export type WatchCommand = { type: 'watch_clocks'; againAfterMs: number | null };

export type RunCommand = PersonCommand | SystemCommand | WatchCommand;
