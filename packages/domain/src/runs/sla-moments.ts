import { atRiskAt, type SlaState } from '../sla/clock.ts';
import { clocksEndOf, ownClock, type RunState } from './state.ts';

/**
 * The times at which a run becomes at risk and breached if nothing else happens, in epoch milliseconds. With them, a
 * list can show the run's SLA state without loading its steps. `stoppedAt` is the time when its clocks stopped; null
 * while they run.
 */
type SlaMoments = {
  hasClock: boolean;
  atRiskAt: number | null;
  breachAt: number | null;
  stoppedAt: number | null;
};

/**
 * Returns a run's current SLA times. `slaStateAt` computes the same result from them as `slaStateOfRun` from the state.
 */
export function slaMomentsOf(state: RunState): SlaMoments {
  const ended = clocksEndOf(state);
  const own = ownClock(state);
  const steps = Object.values(state.steps);
  const active = steps.filter((step) => step.state === 'active');
  const verdicts = steps.map((step) => ('slaVerdict' in step ? step.slaVerdict : null));
  return {
    hasClock: [own, ...active].some((clock) => clock.dueAt !== null) || verdicts.some((verdict) => verdict !== null),
    // If a clock ended at risk or breached, the run has that state from its start.
    atRiskAt: earliest([
      verdicts.includes('at_risk') ? state.startedAt : null,
      ended === null ? atRiskAt(own) : null,
      ...active.map(atRiskAt),
    ]),
    breachAt: earliest([
      verdicts.includes('breached') ? state.startedAt - 1 : null,
      own.dueAt,
      ...active.map((clock) => clock.dueAt),
    ]),
    stoppedAt: state.status === 'paused' ? state.pausedSince : ended,
  };
}

/** Returns the SLA state at `now`; null if there is no SLA. */
export function slaStateAt(moments: SlaMoments, now: number): SlaState | null {
  if (!moments.hasClock) return null;
  const at = Math.min(now, moments.stoppedAt ?? now);
  if (moments.breachAt !== null && at > moments.breachAt) return 'breached';
  return moments.atRiskAt !== null && at >= moments.atRiskAt ? 'at_risk' : 'on_track';
}

function earliest(moments: readonly (number | null)[]): number | null {
  const set = moments.filter((moment) => moment !== null);
  return set.length === 0 ? null : set.reduce((one, other) => Math.min(one, other));
}
