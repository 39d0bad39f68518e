import { describe, expect, it } from 'vitest';
import { Ledger } from './ledger.ts';
import { missedBy } from './planted-verdict.ts';
import { judge, nameOf } from './verdict.ts';

type Shown = { acknowledgedAt: number; unanswered?: number; times: number };

/** Runs that were acknowledged at a moment, and are shown so many times, around a fault from 10 to 12 s. */
function missed(plant: Parameters<typeof missedBy>[0], runs: readonly Shown[]): string[] {
  const ledger = new Ledger();
  ledger.struck(10_000, 12_000);
  const seen = new Map<string, number>();
  for (const [n, { acknowledgedAt, unanswered = 0, times }] of runs.entries()) {
    Object.assign(ledger.wants('run', String(n)), { acknowledged: true, acknowledgedAt, unanswered });
    seen.set(nameOf('run', String(n)), times);
  }
  return missedBy(plant, { ledger, heldMs: 400, verdict: judge(ledger.entries, seen) });
}
const three = (shown: Shown): Shown[] => [shown, shown, shown];

describe('whether a planted fault was caught', () => {
  it('takes losses just before a kill for an answer that came too early', () => {
    expect(missed('ack-before-commit', three({ acknowledgedAt: 9900, times: 0 }))).toEqual([]);
  });

  it('refuses losses that no kill explains', () => {
    const runs = [...three({ acknowledgedAt: 9900, times: 0 }), { acknowledgedAt: 2000, times: 0 }];
    expect(missed('ack-before-commit', runs)).toEqual([
      'run 3 is not of ack-before-commit: acknowledged -8000 ms behind the faults, held back for 400 ms at most',
    ]);
  });

  it('takes doubles of what was asked for twice for a forgotten key', () => {
    expect(missed('no-idempotency', three({ acknowledgedAt: 10_500, unanswered: 1, times: 2 }))).toEqual([]);
  });

  it('refuses doubles of what was asked for once', () => {
    const runs = [...three({ acknowledgedAt: 10_500, unanswered: 1, times: 2 }), { acknowledgedAt: 10_500, times: 2 }];
    expect(missed('no-idempotency', runs)).toEqual([
      'run 3 is not of no-idempotency: acknowledged 500 ms behind the faults, held back for 400 ms at most',
    ]);
  });

  it.each(['ack-before-commit', 'no-idempotency'] as const)(
    'does not call %s caught where little was found',
    (plant) => {
      expect(missed(plant, [{ acknowledgedAt: 9900, times: 1 }])).toEqual([`of ${plant} only 0 were found`]);
    },
  );

  it('refuses what the other plant does', () => {
    const runs = [...three({ acknowledgedAt: 9900, times: 0 }), { acknowledgedAt: 9900, unanswered: 1, times: 2 }];
    expect(missed('ack-before-commit', runs)).toEqual(['ack-before-commit explains no doubled run 3']);
  });
});
