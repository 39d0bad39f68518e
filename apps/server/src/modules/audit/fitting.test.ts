import { describe, expect, it } from 'vitest';
import { type RunSize, fitting } from './fitting.ts';
import { EXPORT_LIMITS } from './trail.ts';

const { events, bytes } = EXPORT_LIMITS;
const taken = (...sizes: RunSize[]): number => {
  const runs = sizes.map((size, n) => ({ id: `run-${n}`, size }));
  return fitting(runs, new Map(runs.map(({ id, size }) => [id, size]))).length;
};

describe('what fits into one document', () => {
  it('is all, up to exactly as many events as it may have', () => {
    expect(taken({ events: events - 1, bytes: 0 }, { events: 1, bytes: 0 })).toBe(2);
    expect(taken()).toBe(0);
  });

  it('ends before the run that is too much, and takes none behind it although it would fit', () => {
    expect(taken({ events: 1, bytes: 0 }, { events, bytes: 0 }, { events: 1, bytes: 0 })).toBe(1);
    expect(taken({ events: 1, bytes: 1 }, { events: 1, bytes }, { events: 1, bytes: 0 })).toBe(1);
  });

  it('has the first run in any case', () => {
    expect(taken({ events: events * 2, bytes: bytes * 2 }, { events: 1, bytes: 1 })).toBe(1);
  });
});
