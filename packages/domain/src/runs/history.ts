import type { RunFact, RunFactType } from './facts.ts';
import type { Json, JsonObject, RunActor } from './state.ts';

/**
 * The action names of history entries (specification, section 3: activated, completed, failed, skipped; the others in
 * the same form). Those of the run itself, except for its clock, begin with `run_`, to distinguish them from a step's.
 */
export const HISTORY_ACTIONS = {
  run_started: 'run_started',
  step_activated: 'activated',
  step_submitted: 'submitted',
  step_returned: 'returned',
  step_approved: 'approved',
  step_rejected: 'rejected',
  step_completed: 'completed',
  step_failed: 'failed',
  step_skip_agreed: 'skip_agreed',
  step_skipped: 'skipped',
  step_claimed: 'claimed',
  step_released: 'released',
  step_handed_over: 'handed_over',
  step_reset: 'reset',
  step_retried: 'retried',
  run_paused: 'run_paused',
  run_pause_escalated: 'run_pause_escalated',
  run_resumed: 'run_resumed',
  run_completed: 'run_completed',
  run_failed: 'run_failed',
  run_cancelled: 'run_cancelled',
  run_priority_changed: 'run_priority_changed',
  sla_at_risk: 'at_risk',
  sla_breached: 'breached',
  sla_reminded: 'reminded',
} as const satisfies Record<RunFactType, string>;

type HistoryAction = (typeof HISTORY_ACTIONS)[RunFactType];

/** `stepId` is null for an entry about the whole run; `at` is epoch milliseconds. */
export type HistoryEntry = {
  stepId: string | null;
  action: HistoryAction;
  at: number;
  actor: RunActor;
  data: JsonObject;
};

/**
 * A run's history contains at most this many of its notes, the latest ones, because every action on a run returns the
 * history.
 */
export const NOTES_IN_HISTORY = 50;

/**
 * Returns a fact as the history shows it. `data` has the fact's details except time, actor and step: `data.output` is a
 * step's output, `data.reason` why it failed or was skipped, `data.log` the lines of a script. Null values are omitted.
 * Returns null for `run_failed`, because the step's failure just before it says the same.
 */
export function historyEntry(fact: RunFact): HistoryEntry | null {
  if (fact.type === 'run_failed') return null;
  const { type, at, by } = fact;
  const data: Record<string, Json> = {};
  for (const [key, value] of Object.entries<Json | RunActor>(fact))
    if (value !== null && !NOT_DETAILS.has(key)) data[key] = value as Json;
  return { stepId: 'stepId' in fact ? fact.stepId : null, action: HISTORY_ACTIONS[type], at, actor: by, data };
}

const NOT_DETAILS: ReadonlySet<string> = new Set(['type', 'at', 'by', 'stepId']);
