import { describe, expect, it } from 'vitest';
import { openLanes } from './lanes.ts';

/** Opens lanes whose batches end only when `end` is called. `batches` are the batches that have begun. */
function heldLanes(options: { maxOpen?: number } = {}) {
  const batches: string[][] = [];
  const ends: (() => void)[] = [];
  const decides: (() => void)[] = [];
  const enter = openLanes<string>(async (items, isDecided) => {
    batches.push([...items]);
    decides.push(isDecided);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => async () => item.toUpperCase());
  }, options);
  const add = (item: string, marks: string[] = [item], lane = 'north') => enter({ item, lane, marks, order: item });
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  const decide = (): void => decides.shift()?.();
  return { add, end, decide, batches };
}

describe('a lane', () => {
  it('processes an item immediately if it is idle, and later items as the next batch', async () => {
    const { add, end, batches } = heldLanes();
    const results = Promise.all([add('c'), add('b'), add('a')]);
    expect(batches).toEqual([['c']]);
    await end();
    expect(batches).toEqual([['c'], ['a', 'b']]);
    await end();
    expect(await results).toEqual(['C', 'B', 'A']);
    void add('d');
    expect(batches).toHaveLength(3);
  });

  it('begins the next batch while a decided one is still being saved, but not a third one', async () => {
    const { add, end, decide, batches } = heldLanes();
    void add('a');
    void add('b');
    void add('a2', ['a']);
    decide();
    expect(batches).toEqual([['a'], ['b']]); // The second change of `a` waits until the first one is saved.
    void add('c');
    decide();
    expect(batches).toHaveLength(2);
    await end();
    expect(batches).toEqual([['a'], ['b'], ['a2', 'c']]);
  });

  it('is independent of other lanes', () => {
    const { add, batches } = heldLanes();
    void add('a', ['a'], 'north');
    void add('b', ['b'], 'south');
    expect(batches).toEqual([['a'], ['b']]);
  });

  it('waits if the maximum number of batches is open, and takes turns with other waiting lanes', async () => {
    const { add, end, batches } = heldLanes({ maxOpen: 2 });
    for (const lane of ['north', 'south', 'east', 'west', 'east']) void add(`${lane} ${batches.length}`, [], lane);
    void add('north again', [], 'north');
    expect(batches).toEqual([['north 0'], ['south 1']]);
    await end();
    expect(batches.slice(2)).toEqual([['east 2', 'east 2']]);
    void add('south again', [], 'south');
    await end();
    await end();
    await end();
    await end();
    expect(batches.slice(3)).toEqual([['west 2'], ['north again'], ['south again']]);
  });

  it('never processes two items with the same mark at once, and preserves their order', async () => {
    const { add, end, batches } = heldLanes();
    void add('first');
    void add('z1', ['z', 'key']);
    void add('y', ['y']);
    void add('z2', ['z']);
    void add('x', ['x', 'key']);
    void add('z3', ['z']);
    for (let n = 0; n < 4; n += 1) await end();
    expect(batches).toEqual([['first'], ['y', 'z1'], ['x', 'z2'], ['z3']]);
  });

  it('processes at most 64 items in one batch', async () => {
    const { add, end, batches } = heldLanes();
    for (let n = 0; n < 100; n += 1) void add(`item ${n}`);
    for (let n = 0; n < 3; n += 1) await end();
    expect(batches.map(({ length }) => length)).toEqual([1, 64, 35]);
  });

  it('doesn’t wait long for a slow batch', async () => {
    const { add, batches } = heldLanes();
    void add('slow');
    void add('next');
    await expect.poll(() => batches).toEqual([['slow'], ['next']]);
  });

  it('doesn’t wait long for slow batches of other lanes', async () => {
    const { add, batches } = heldLanes({ maxOpen: 1 });
    void add('slow', [], 'north');
    void add('other', [], 'south');
    expect(batches).toEqual([['slow']]);
    await expect.poll(() => batches).toEqual([['slow'], ['other']]);
  });

  it('continues after a batch that failed', async () => {
    let isFirst = true;
    const enter = openLanes<string>(async (items) => {
      if (!isFirst) return items.map((item) => async () => item);
      isFirst = false;
      throw new Error('no connection');
    });
    const add = (item: string) => enter({ item, lane: 'north', marks: [item], order: item });
    const results = await Promise.allSettled([add('a'), add('b')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
