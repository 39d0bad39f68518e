import { graphOf, type GraphStep, topologicalOrder } from '../workflows/graph.ts';
import { type Clock, dueAt, type SlaState, slaStateOf, worstOf } from './clock.ts';
import type { WorkCalendar } from './calendar.ts';
import { countedSlaMs, type Deadline } from './deadline.ts';

/**
 * Returns a run's target in milliseconds: the longest path through the SLAs of its steps. Steps without an SLA add
 * nothing. The result is null if no step has one, and counts working hours if there is a calendar. Linear in steps and
 * edges.
 */
export function targetMs(
  steps: readonly (GraphStep & { sla: string })[],
  calendar: WorkCalendar | null = null,
): number | null {
  const graph = graphOf(steps);
  const ownMs = new Map(steps.map((step) => [step.id, countedSlaMs(step.sla, calendar) ?? 0]));
  const upToMs = new Map<string, number>();
  let longest = 0;
  for (const id of topologicalOrder(graph)) {
    let before = 0;
    for (const previous of graph.previous(id)) before = Math.max(before, upToMs.get(previous) ?? 0);
    const total = before + (ownMs.get(id) ?? 0);
    upToMs.set(id, total);
    longest = Math.max(longest, total);
  }
  return longest === 0 ? null : longest;
}

/** The inputs of a run's SLA state. Times in epoch milliseconds. */
type RunClocks = {
  startedAt: number;
  targetMs: number | null;
  pausedMs: number;
  /** When the run itself is due; set if working hours apply. */
  deadline?: Deadline | undefined;
  now: number;
  endedAt?: number | null;
  pausedSince?: number | null;
  /** The clocks of the active steps. */
  active: readonly Clock[];
  /** The final states of finished steps; null for those without an SLA. */
  verdicts: readonly (SlaState | null)[];
};

/**
 * Returns a run's SLA state: the worst state of its active steps, its finished steps, and the run itself with its own
 * target. Null if nothing has an SLA. All clocks stop during a pause. After the end of the run, steps that were
 * still active keep the state that they had at the end.
 */
export function runSlaState(run: RunClocks): SlaState | null {
  const pausedSince = run.pausedSince ?? null;
  const own: Clock = {
    activatedAt: run.startedAt,
    pausedMs: run.pausedMs,
    ...(run.deadline ?? { dueAt: dueAt(run.startedAt + run.pausedMs, run.targetMs) }),
  };
  const now = run.endedAt ?? run.now;
  return worstOf([
    slaStateOf({ now: run.now, endedAt: run.endedAt ?? null, pausedSince, ...own }),
    ...run.active.map((clock) => slaStateOf({ now, pausedSince, ...clock })),
    ...run.verdicts,
  ]);
}
