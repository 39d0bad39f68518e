import { atRiskAt, type Clock } from '../sla/clock.ts';
import { DAY_MS } from '../sla/duration.ts';
import type { WatchCommand } from './commands.ts';
import { accept, type Ledger, type RunDecision } from './ledger.ts';
import { clocksEndOf, ownClock, type RunState, type SlaNotified, type StepState } from './state.ts';

/** Maximum number of reminders of one breach. */
export const MAX_REMINDERS = 10;

/** Once a pause is this long, owners and admins are notified; in ms. */
export const PAUSE_ESCALATES_MS = 7 * DAY_MS;

/** A past or future crossing of a clock: at risk, breached, or another reminder of the breach. */
type Crossing = { kind: 'at_risk' | 'breached'; at: number } | { kind: 'reminder'; at: number; reminders: number };

/** Records the crossings, reminders and the escalation of a pause that are due, each once (decision 41). */
export function watchClocks(ledger: Ledger, state: RunState, { againAfterMs }: WatchCommand): RunDecision {
  const escalatesAt = pauseEscalatesAt(state);
  if (state.status === 'paused' && escalatesAt !== null && escalatesAt <= ledger.at) {
    ledger.record({ type: 'run_pause_escalated', pausedSince: state.pausedSince });
  }
  const own = crossingOfRun(state, ledger.at);
  if (own && own.at <= ledger.at && own.kind !== 'reminder') {
    if (own.kind === 'at_risk') ledger.record({ type: 'sla_at_risk', stepId: null, crossedAt: own.at });
    else ledger.record({ type: 'sla_breached', stepId: null, crossedAt: own.at, againAfterMs: null });
  }
  for (const { id } of ledger.workflow.steps) {
    const step = ledger.state(id);
    const next = step && crossingOfStep(state, step, ledger.at);
    if (!step || !next || next.at > ledger.at) continue;
    const of = { stepId: id, activation: step.activation };
    if (next.kind === 'at_risk') ledger.record({ type: 'sla_at_risk', ...of, crossedAt: next.at });
    if (next.kind === 'breached') ledger.record({ type: 'sla_breached', ...of, crossedAt: next.at, againAfterMs });
    if (next.kind === 'reminder') ledger.record({ type: 'sla_reminded', ...of, reminders: next.reminders });
  }
  return accept(ledger);
}

/**
 * Returns the time of the next crossing to report, in epoch milliseconds, if nothing else happens first. It may be in
 * the past. Null if there is none, for example because the run has no clocks, all crossings were reported, or its pause
 * was already escalated.
 */
export function nextCrossingAt(state: RunState): number | null {
  const all = [
    crossingOfRun(state, Number.NEGATIVE_INFINITY),
    ...Object.values(state.steps).map((step) => crossingOfStep(state, step, Number.NEGATIVE_INFINITY)),
  ];
  const moments = [...all.map((crossing) => crossing?.at ?? null), pauseEscalatesAt(state)].filter((at) => at !== null);
  return moments.length === 0 ? null : moments.reduce((one, other) => Math.min(one, other));
}

function pauseEscalatesAt(state: RunState): number | null {
  return state.status === 'paused' && !state.escalated ? state.pausedSince + PAUSE_ESCALATES_MS : null;
}

function crossingOfRun(state: RunState, now: number): Crossing | null {
  const ended = clocksEndOf(state);
  const clock = ownClock(state);
  if (isGoing(state)) return crossingOf(clock, state.told, now);
  // The run ended before any check saw the breach.
  return ended !== null ? missedBreach(clock, ended, state.told) : null;
}

/** True while the clocks of a run are running. They run in a failed run too, because it can be retried. */
const isGoing = ({ status }: RunState): boolean => status === 'running' || status === 'failed';

function crossingOfStep(state: RunState, step: StepState, now: number): Crossing | null {
  switch (step.state) {
    case 'active':
      return isGoing(state) ? (crossingOf(step, step.told, now) ?? reminderOf(step.told)) : null;
    case 'completed':
      return missedBreach(step, step.completedAt, step.told);
    case 'failed':
      return missedBreach(step, step.failedAt, step.told);
    case 'skipped':
      return step.onward ? missedBreach(step.clock, step.skippedAt, step.clock.told) : null;
    case 'waiting':
      return null;
  }
}

/**
 * Returns the next crossing of a running clock; if both times have passed, only the breach is reported. Null without an
 * SLA, or if the breach was already reported.
 */
function crossingOf(clock: Clock, notified: SlaNotified | undefined, now: number): Crossing | null {
  const riskAt = atRiskAt(clock);
  if (clock.dueAt === null || riskAt === null || notified?.state === 'breached') return null;
  // At its exact due time, a clock is not breached yet.
  const breachAt = clock.dueAt + 1;
  return notified === undefined && now < breachAt
    ? { kind: 'at_risk', at: riskAt }
    : { kind: 'breached', at: breachAt };
}

function missedBreach(clock: Clock, endedAt: number, notified: SlaNotified | undefined): Crossing | null {
  if (clock.dueAt === null || endedAt <= clock.dueAt || notified?.state === 'breached') return null;
  return { kind: 'breached', at: clock.dueAt + 1 };
}

function reminderOf(notified: SlaNotified | undefined): Crossing | null {
  if (notified?.state !== 'breached' || notified.againAfterMs === null || notified.reminders >= MAX_REMINDERS)
    return null;
  return { kind: 'reminder', at: notified.at + notified.againAfterMs, reminders: notified.reminders + 1 };
}
