import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openPlaces } from './places.ts';

/** Creates jobs that end on request. `order` lists the owners in the order of their turns. */
function workshop(size: number, waiting = 100, waitingInAll = Infinity) {
  const places = openPlaces({ size, waiting, waitingInAll });
  const order: string[] = [];
  const under: { orgId: string; end: () => void }[] = [];
  const ask = (orgId: string, signal?: AbortSignal): Promise<void> =>
    places.at(
      orgId,
      () => {
        order.push(orgId);
        return new Promise<void>((resolve) => under.push({ orgId, end: resolve }));
      },
      signal,
    );
  const flush = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { places, order, under, ask, flush };
}

it('gives the next free slot to the owner whose last turn was longest ago', async () => {
  const { order, under, ask, flush } = workshop(2);
  for (const orgId of ['a', 'a', 'a', 'b', 'b', 'c']) void ask(orgId);
  await flush();
  expect(order).toEqual(['a', 'b']);
  for (const expected of ['c', 'a', 'b', 'a']) {
    const before = order.length;
    // Each waiting owner gets a turn, up to its limit, no matter which job ends.
    under.shift()?.end();
    await flush();
    expect([expected, order.length]).toEqual([order.at(-1), before + 1]);
  }
});

it('refuses more jobs from an owner with too many waiting jobs, but still accepts jobs from other owners', async () => {
  const { ask, flush, order } = workshop(2, 2);
  const refused = Promise.allSettled(['a', 'a', 'a', 'a'].map((owner) => ask(owner)).slice(3));
  await expect(refused).resolves.toMatchObject([
    { status: 'rejected', reason: { refusal: { code: 'too_many_requests' } } },
  ]);
  void ask('b');
  await flush();
  expect(order).toEqual(['a', 'b']);
});

it('never exceeds an owner’s limit, leaves no usable slot idle, and serves everyone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.nat(3)), { maxLength: 40 }),
      async (size, steps) => {
        const { places, order, under, ask, flush } = workshop(size);
        const asked = new Map<string, number>();
        const check = (): void => {
          const slotsOf = (orgId: string): number => under.filter((each) => each.orgId === orgId).length;
          expect(under.length).toBeLessThanOrEqual(size);
          for (const [orgId, count] of asked) {
            expect(slotsOf(orgId)).toBeLessThanOrEqual(places.mostEach);
            const waits = count - order.filter((each) => each === orgId).length;
            if (waits > 0) expect(under.length === size || slotsOf(orgId) === places.mostEach).toBe(true);
          }
        };
        for (const step of steps) {
          if (typeof step === 'string') {
            asked.set(step, (asked.get(step) ?? 0) + 1);
            void ask(step);
          } else under.splice(step, 1)[0]?.end();
          await flush();
          check();
        }
        while (under.length > 0) {
          under.shift()?.end();
          await flush();
        }
        expect(order.toSorted()).toEqual(
          [...asked].flatMap(([orgId, n]) => Array.from({ length: n }, () => orgId)).toSorted(),
        );
      },
    ),
  );
});

it('refuses everyone with the code `busy` once too many jobs are waiting in total', async () => {
  const { ask, flush, order } = workshop(1, 10, 3);
  const asked = Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((owner) => ask(owner)).slice(4));
  await expect(asked).resolves.toMatchObject([{ reason: { refusal: { code: 'busy', retryAfterSeconds: 10 } } }]);
  await flush();
  expect(order).toEqual(['a']);
});

it('drops the requests of a disconnected client, even just before they get a slot', async () => {
  const { ask, flush, under, order } = workshop(2);
  const gone = { reason: { refusal: { code: 'client_gone' } } };
  const leaving = Array.from({ length: 6 }, () => new AbortController());
  void ask('a');
  const left = Promise.allSettled(leaving.map(({ signal }) => ask('a', signal)));
  await flush();
  for (const each of leaving) each.abort();
  expect(await left).toMatchObject(leaving.map(() => gone));
  void ask('b');
  await flush();
  expect(order).toEqual(['a', 'b']);

  const last = new AbortController();
  const next = Promise.allSettled([ask('a', last.signal), ask('a', last.signal)]);
  await flush();
  under.shift()?.end();
  last.abort();
  expect(await next).toMatchObject([gone, gone]);
  void ask('a');
  await flush();
  expect(order.filter((owner) => owner === 'a').length).toBeLessThanOrEqual(3);
  expect(under.some(({ orgId }) => orgId === 'a')).toBe(true);
});

it('never gives an owner more than the maximum, so other slots stay available', async () => {
  const places = openPlaces({ size: 16, each: 4, waiting: 100 });
  const running: string[] = [];
  for (const owner of Array<string>(20).fill('a').concat(Array<string>(3).fill('b')))
    void places.at(owner, () => (running.push(owner), new Promise<void>(() => {})));
  await new Promise((resolve) => setImmediate(resolve));
  expect(running.toSorted()).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'b']);
});
