import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openPlaces } from './places.ts';

/** Work that ends when it is told to; `order` tells who had their turn. */
function workshop(size: number, waiting = 100) {
  const places = openPlaces({ size, waiting });
  const order: string[] = [];
  const under: { orgId: string; end: () => void }[] = [];
  const ask = (orgId: string): Promise<void> =>
    places.at(orgId, () => {
      order.push(orgId);
      return new Promise<void>((resolve) => under.push({ orgId, end: resolve }));
    });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { places, order, under, ask, settle };
}

it('gives the next free place to whoever had theirs longest ago', async () => {
  const { order, under, ask, settle } = workshop(2);
  for (const orgId of ['a', 'a', 'a', 'b', 'b', 'c']) void ask(orgId);
  await settle();
  expect(order).toEqual(['a', 'b']);
  for (const expected of ['c', 'a', 'b', 'a']) {
    const before = order.length;
    // Whichever ends: those that wait come in turn, as far as they may have one more.
    under.shift()?.end();
    await settle();
    expect([expected, order.length]).toEqual([order.at(-1), before + 1]);
  }
});

it('refuses whoever has too many in the line, and nobody else', async () => {
  const { ask, settle, order } = workshop(2, 2);
  const refused = Promise.allSettled(['a', 'a', 'a', 'a'].map(ask).slice(3));
  await expect(refused).resolves.toMatchObject([
    { status: 'rejected', reason: { refusal: { code: 'too_many_requests' } } },
  ]);
  void ask('b');
  await settle();
  expect(order).toEqual(['a', 'b']);
});

it('never gives all places to one, never leaves one empty that somebody may have, and serves everyone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.nat(3)), { maxLength: 40 }),
      async (size, steps) => {
        const { places, order, under, ask, settle } = workshop(size);
        const asked = new Map<string, number>();
        const check = (): void => {
          const held = (orgId: string): number => under.filter((each) => each.orgId === orgId).length;
          expect(under.length).toBeLessThanOrEqual(size);
          for (const [orgId, count] of asked) {
            expect(held(orgId)).toBeLessThanOrEqual(places.mostEach);
            const waits = count - order.filter((each) => each === orgId).length;
            if (waits > 0) expect(under.length === size || held(orgId) === places.mostEach).toBe(true);
          }
        };
        for (const step of steps) {
          if (typeof step === 'string') {
            asked.set(step, (asked.get(step) ?? 0) + 1);
            void ask(step);
          } else under.splice(step, 1)[0]?.end();
          await settle();
          check();
        }
        while (under.length > 0) {
          under.shift()?.end();
          await settle();
        }
        expect(order.toSorted()).toEqual(
          [...asked].flatMap(([orgId, n]) => Array.from({ length: n }, () => orgId)).toSorted(),
        );
      },
    ),
  );
});
