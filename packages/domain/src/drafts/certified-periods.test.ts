import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentTitled, records } from '../audit/certificate.arbitrary.ts';
import { factsOf } from '../audit/index.ts';
import { momentText } from '../audit/moment.ts';
import { liveChangeOf, periodsInForce } from './in-force.ts';

const content = contentTitled('Expenses');

describe('the periods of a certificate', () => {
  it('equal the periods in force of random histories', () => {
    const move = fc.oneof(fc.constant('merge' as const), fc.nat(5));
    fc.assert(
      fc.property(fc.array(move, { minLength: 1, maxLength: 20 }), fc.boolean(), (moves, isArchived) => {
        let [live, newest] = [1, 1];
        const history = [records.merged('v1', 1, content)];
        for (const each of moves) {
          const to = each === 'merge' ? (newest += 1) : 1 + (each % newest);
          if (to === live) continue;
          history.push(
            each === 'merge'
              ? records.merged(`v${to}`, to, content, { replaces: `v${live}` })
              : records.rolledBack(`v${live}`, `v${to}`, { to }),
          );
          live = to;
        }
        const archived = {
          ...records.rolledBack('', ''),
          action: 'workflow.archived' as const,
          data: { key: 'expenses' },
        };
        const events = [...history, ...(isArchived ? [archived] : [])].map(({ data = {}, ...record }, n) => ({
          seq: n + 1,
          at: momentText(BigInt(n) * 1000n),
          record: { ...record, data },
        }));
        const periods = periodsInForce(
          events.flatMap(({ record, seq }) => liveChangeOf({ ...record, at: BigInt(seq - 1) * 1000n }) ?? []),
        );
        for (let version = 1; version <= newest; version++)
          expect(
            factsOf(events, `v${version}`)?.periods.map(({ from, until }) => [from.at, until?.at ?? null]),
          ).toEqual(
            periods
              .filter((period) => period.version === version)
              .map(({ from, until }) => [momentText(from), until === null ? null : momentText(until)]),
          );
      }),
      { numRuns: 300 },
    );
  });
});
