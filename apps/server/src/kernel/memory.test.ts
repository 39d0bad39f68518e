import { memoryUsage } from 'node:process';
import { describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { collectYoungGarbage, freeBuffer, openIdleCollector } from './memory.ts';

const MIB = 1024 * 1024;

/** Returns the largest amount of buffer memory, in MiB, that `work` adds when it is repeated 200 times. */
function highestOf(work: () => void): number {
  const before = memoryUsage().arrayBuffers;
  let highest = 0;
  for (let n = 0; n < 200; n += 1) {
    work();
    highest = Math.max(highest, memoryUsage().arrayBuffers - before);
  }
  return highest / MIB;
}

describe('a freed buffer', () => {
  it('has no bytes, and its memory is free before the next garbage collection', () => {
    const bytes = Buffer.alloc(100, 'x');
    freeBuffer(bytes);
    freeBuffer(bytes);
    expect(bytes.length).toBe(0);
    expect(highestOf(() => freeBuffer(Buffer.allocUnsafeSlow(4 * MIB)))).toBeLessThan(16);
  });

  it('isn’t changed if others share its memory', () => {
    const [whole, pooled] = [Buffer.alloc(100, 'x'), Buffer.from('pooled')];
    for (const part of [whole.subarray(0, 10), pooled]) freeBuffer(part);
    expect([whole.length, String(pooled)]).toEqual([100, 'pooled']);
  });
});

it('a collection of young garbage frees buffers that are no longer referenced', () => {
  const work = () => {
    for (let n = 0; n < 4; n += 1) Buffer.allocUnsafeSlow(MIB);
    collectYoungGarbage();
  };
  expect(highestOf(work)).toBeLessThan(30);
  expect(globalThis).not.toHaveProperty('gc');
});

describe('the collector for idle times', () => {
  const isAlive = (of: WeakRef<object>): boolean => of.deref() !== undefined;
  // Old garbage isn't freed by minor collections.
  const oldGarbage = (): WeakRef<object> => {
    const garbage = Array.from({ length: 1_000_000 }, (_, n) => ({ n }));
    collectYoungGarbage();
    collectYoungGarbage();
    return new WeakRef(garbage);
  };
  /** Old objects that are scattered over a heap full of old garbage, as after a load. */
  const scatteredObjects = (): object[] => {
    const objects = Array.from({ length: 2_000_000 }, (_, n) => ({ n }));
    collectYoungGarbage();
    collectYoungGarbage();
    return objects.filter(({ n }) => n % 100 === 0);
  };

  it('frees old garbage after an idle time, but not after a busy one', async () => {
    let utilization = 0.06;
    const collectIfIdle = openIdleCollector(() => ({ utilization, idle: 0, active: 0 }));
    const garbage = oldGarbage();
    // References to an object that was just created are strong until the end of the task.
    await sleep(1);
    collectIfIdle();
    expect(isAlive(garbage)).toBe(true);
    utilization = 0.04;
    await sleep(1);
    collectIfIdle();
    await sleep(1);
    expect(isAlive(garbage)).toBe(false);
  });

  it('returns the memory to the system at the next idle time', async () => {
    const collectIfIdle = openIdleCollector(() => ({ utilization: 0, idle: 0, active: 0 }));
    const inUse = scatteredObjects();
    await sleep(1);
    collectIfIdle();
    const kept = getHeapStatistics().total_heap_size;
    collectIfIdle();
    expect(getHeapStatistics().total_heap_size).toBeLessThan(kept - 16 * MIB);
    expect(inUse).toHaveLength(20_000);
  });
});
