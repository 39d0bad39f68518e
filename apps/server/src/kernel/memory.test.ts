import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { memoryUsage } from 'node:process';
import { describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectYoungGarbage, freeBuffer, openIdleCollector } from './memory.ts';

const MIB = 1024 * 1024;
const { NODE_PERFORMANCE_GC_MAJOR, NODE_PERFORMANCE_GC_FLAGS_FORCED } = constants;

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

  it('collects once more at the next idle time, and then no more', async () => {
    const collectIfIdle = openIdleCollector(() => ({ utilization: 0, idle: 0, active: 0 }));
    const garbage = oldGarbage();
    await sleep(1);
    expect(await collectionsOf(collectIfIdle)).toBe(1);
    expect(await collectionsOf(collectIfIdle)).toBe(1);
    expect(await collectionsOf(collectIfIdle)).toBe(0);
    expect(isAlive(garbage)).toBe(false);
  });
});

/** Counts the whole collections that `act` starts itself. V8 reports each one later. */
async function collectionsOf(act: () => void): Promise<number> {
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as (PerformanceEntry & { detail: { kind: number; flags: number } })[])
      if (detail.kind === NODE_PERFORMANCE_GC_MAJOR && (detail.flags & NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0)
        count += 1;
  });
  observer.observe({ entryTypes: ['gc'] });
  act();
  for (let tries = 0; tries < 100 && count === 0; tries += 1) await sleep(20);
  observer.disconnect();
  return count;
}
