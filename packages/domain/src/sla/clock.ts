/** States of a clock, from best to worst (specification, section 4). */
export const SLA_STATES = ['on_track', 'at_risk', 'breached'] as const;
export type SlaState = (typeof SLA_STATES)[number];

/** A clock is at risk from this share of its SLA. */
export const AT_RISK_SHARE = 0.8;

/**
 * One clock. Times are in epoch milliseconds. `pausedMs` is its total pause so far, and `dueAt` includes it. `riskAt`
 * is the time when it becomes at risk; it is set if working hours apply.
 */
export type Clock = { activatedAt: number; dueAt: number | null; pausedMs?: number; riskAt?: number };

/** A clock and the time at which to read it: the earliest of its end, the start of the pause, and now. */
type ClockReading = Clock & { now: number; endedAt?: number | null; pausedSince?: number | null };

/** Returns the due time, in epoch milliseconds, of a step that became active at `activatedAt`. Null without an SLA. */
export function dueAt(activatedAt: number, slaMs: number | null): number | null {
  return slaMs === null ? null : activatedAt + slaMs;
}

/** Returns a due time, postponed by a pause of `pauseMs`. Null without an SLA. */
export function shiftedByPause(due: number | null, pauseMs: number): number | null {
  return due === null ? null : due + Math.max(0, pauseMs);
}

/** Returns when a clock becomes at risk, in whole milliseconds; null without an SLA. */
export function atRiskAt(clock: Clock): number | null {
  if (clock.dueAt === null) return null;
  if (clock.riskAt !== undefined) return clock.riskAt;
  const began = startOf(clock);
  return began + Math.ceil((clock.dueAt - began) * AT_RISK_SHARE);
}

/**
 * Returns a clock's state; null without an SLA (neutral on screen). At its exact due time it is not breached yet. A
 * finished clock has a final state: on track if it ended in time, even if it was at risk before; otherwise breached.
 */
export function slaStateOf(reading: ClockReading): SlaState | null {
  const riskAt = atRiskAt(reading);
  if (reading.dueAt === null || riskAt === null) return null;
  const ended = reading.endedAt ?? null;
  const at = Math.min(ended ?? reading.now, reading.pausedSince ?? Number.POSITIVE_INFINITY);
  if (at > reading.dueAt) return 'breached';
  return ended === null && at >= riskAt ? 'at_risk' : 'on_track';
}

/** Returns the share of its SLA that a clock had used at `at`; 1 is exactly on target. Null without an SLA. */
export function usedShare(clock: Clock, at: number): number | null {
  if (clock.dueAt === null) return null;
  const began = startOf(clock);
  return clock.dueAt > began ? Math.max(0, at - began) / (clock.dueAt - began) : null;
}

/** Returns the worst of several states; null if none has an SLA. */
export function worstOf(states: Iterable<SlaState | null>): SlaState | null {
  let worst = -1;
  for (const state of states) if (state !== null) worst = Math.max(worst, SLA_STATES.indexOf(state));
  return SLA_STATES[worst] ?? null;
}

// A pause shifts the whole clock, including its start, so the 80 % mark shifts as much as the due time.
function startOf(clock: Clock): number {
  return clock.activatedAt + (clock.pausedMs ?? 0);
}
