import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBoundedQueue } from './bounded.ts';

describe('a bounded queue', () => {
  it('never runs more at once than it may, in the order of coming, and all of it, failures too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 30 }),
        fc.scheduler(),
        async (atOnce, fates, s) => {
          const inTurn = openBoundedQueue(atOnce);
          const begun: number[] = [];
          let running = 0;
          let most = 0;
          const all = fates.map((fails, n) =>
            inTurn(async () => {
              begun.push(n);
              running += 1;
              most = Math.max(most, running);
              await s.schedule(Promise.resolve());
              running -= 1;
              if (fails) throw new Error('failed');
              return n;
            }),
          );
          const settled = Promise.allSettled(all);
          await s.waitFor(settled);
          const outcomes = (await settled).map(({ status }) => status);
          expect(outcomes).toEqual(fates.map((fails) => (fails ? 'rejected' : 'fulfilled')));
          expect(begun).toEqual(fates.map((_, n) => n));
          expect(most).toBe(Math.min(atOnce, fates.length));
        },
      ),
      { numRuns: 100 },
    );
  });
});
