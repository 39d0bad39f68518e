import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inTurn } from './in-turn.ts';

test('no more than so many go on at once, and all have their turn in order, also behind one that fails', async () => {
  const turn = inTurn(2);
  const begun: number[] = [];
  let underWay = 0;
  let most = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 7 }, (_, n) =>
      turn(async () => {
        begun.push(n);
        underWay += 1;
        most = Math.max(most, underWay);
        await setImmediate();
        underWay -= 1;
        if (n === 1) throw new Error('no paper');
        return n;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true, true, true]);
});
