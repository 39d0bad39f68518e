import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atRiskAt, dueAt, shiftedByPause, slaStateOf, usedShare, worstOf } from './clock.ts';

const T0 = 1_800_000_000_000;
const clock = { activatedAt: T0, dueAt: T0 + 1000 };

describe('a running clock', () => {
  test.each([
    [0, 'on_track'],
    [799, 'on_track'],
    [800, 'at_risk'],
    [1000, 'at_risk'],
    [1001, 'breached'],
  ])('after %d of 1000 ms has the state %s', (elapsed, state) => {
    expect(slaStateOf({ ...clock, now: T0 + elapsed })).toBe(state);
  });

  test('has no state, no due time and no share without an SLA', () => {
    expect(dueAt(T0, null)).toBeNull();
    expect(shiftedByPause(null, 5)).toBeNull();
    expect(atRiskAt({ activatedAt: T0, dueAt: null })).toBeNull();
    expect(slaStateOf({ activatedAt: T0, dueAt: null, now: T0 + 1e12 })).toBeNull();
    expect(usedShare({ activatedAt: T0, dueAt: null }, T0 + 5)).toBeNull();
  });

  test('stops during a pause and is postponed by its length', () => {
    expect(slaStateOf({ ...clock, now: T0 + 9000, pausedSince: T0 + 700 })).toBe('on_track');
    const resumed = { activatedAt: T0, dueAt: shiftedByPause(clock.dueAt, 5000), pausedMs: 5000 };
    expect(slaStateOf({ ...resumed, now: T0 + 5799 })).toBe('on_track');
    expect(slaStateOf({ ...resumed, now: T0 + 5800 })).toBe('at_risk');
    expect(slaStateOf({ ...resumed, now: T0 + 6001 })).toBe('breached');
  });
});

describe('a clock that ended', () => {
  test.each([
    [900, 'on_track'],
    [1000, 'on_track'],
    [1001, 'breached'],
  ])('after %d of 1000 ms keeps the state %s', (elapsed, verdict) => {
    expect(slaStateOf({ ...clock, now: T0 + 1e9, endedAt: T0 + elapsed })).toBe(verdict);
  });
});

test('the used share is 1 exactly at the due time and excludes pauses', () => {
  expect(usedShare(clock, T0 + 1000)).toBe(1);
  expect(usedShare({ activatedAt: T0, dueAt: T0 + 1300, pausedMs: 300 }, T0 + 800)).toBe(0.5);
});

test('worstOf returns the worst state, or null without a clock', () => {
  expect(worstOf(['on_track', 'breached', 'at_risk', null])).toBe('breached');
  expect(worstOf(['on_track', null, 'at_risk'])).toBe('at_risk');
  expect(worstOf([null, 'on_track'])).toBe('on_track');
  expect(worstOf([null])).toBeNull();
});

test('a state never improves over time and becomes at risk at the announced time', () => {
  const order = ['on_track', 'at_risk', 'breached'];
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.nat(1e6), fc.nat(2e9), fc.nat(2e9), (sla, pausedMs, a, b) => {
      const paused = { activatedAt: T0, pausedMs, dueAt: T0 + pausedMs + sla };
      const at = (elapsed: number) => order.indexOf(slaStateOf({ ...paused, now: T0 + elapsed }) ?? '');
      expect(at(Math.min(a, b))).toBeLessThanOrEqual(at(Math.max(a, b)));
      const riskAt = atRiskAt(paused) ?? 0;
      expect(at(riskAt - T0)).toBeGreaterThanOrEqual(1);
      expect(at(riskAt - T0 - 1)).toBe(0);
    }),
  );
});
