import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ledger } from './ledger.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Creates a ledger of requests with their times and answers. A change that was answered with 200 counts as
 * acknowledged.
 */
function ledgerOf(...requests: readonly [sentAt: number, at: number, status: number | null][]): Ledger {
  const ledger = new Ledger();
  for (const [n, [sentAt, at, status]] of requests.toSorted(([, a], [, b]) => a - b).entries()) {
    vi.advanceTimersByTime(at - performance.now());
    ledger.received(status, sentAt);
    const entry = ledger.wants('run', String(n));
    entry.sentAt = sentAt;
    if (status === 200) ledger.acknowledge(entry);
  }
  return ledger;
}

describe('the responses during a fault', () => {
  const FREEZE = { from: 1000, to: 11_000 };

  it.each<[string, [number, number, number | null], object]>([
    ['sent before it and answered during it', [900, 5000, 503], { slowestMs: 4100, unanswered: 0 }],
    ['sent during it and answered long after', [2000, 40_000, 200], { slowestMs: 38_000, unanswered: 0 }],
    ['sent before it and never answered', [900, 45_900, null], { slowestMs: 45_000, unanswered: 1 }],
    ['sent and answered before it', [100, 900, 200], { slowestMs: 0, unanswered: 0 }],
    ['sent after it', [11_100, 30_000, null], { slowestMs: 0, unanswered: 0 }],
  ])('judges a request that was %s (%j): %j', (_, request, expected) => {
    expect(ledgerOf(request).underWay(FREEZE)).toEqual(expected);
  });
});

describe('the time until a server recovers', () => {
  it('ends with a change that was requested after the first refusal, because part of the server may still work before', () => {
    expect(ledgerOf([1010, 1020, 200], [1015, 1050, 503], [1060, 3000, 200]).servedAgain(1000)).toBe(2000);
  });

  it('treats a missing response as a refusal', () => {
    expect(ledgerOf([1010, 1020, 200], [990, 1040, null], [1060, 3000, 200]).servedAgain(1000)).toBe(2000);
  });

  it('ignores requests sent before the fault', () => {
    expect(ledgerOf([990, 1020, 200], [1010, 1100, 200]).servedAgain(1000)).toBe(100);
  });

  it('ignores refusals that belong to the next fault', () => {
    expect(ledgerOf([1010, 1100, 200], [5000, 5010, 503], [6000, 6100, 200]).servedAgain(1000, 4000)).toBe(100);
  });

  it('is null if no change was acknowledged afterwards', () => {
    expect(ledgerOf([900, 950, 200], [1010, 1050, 503]).servedAgain(1000)).toBeNull();
  });
});
