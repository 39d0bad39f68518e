import { describe, expect, it } from 'vitest';
import { simulated } from './automated.ts';

const at = { stepId: 'robot', activation: 3 };
const chance = (...values: number[]) => {
  const left = [...values];
  return () => left.shift() ?? 0;
};

describe('the simulation', () => {
  it('fails at the configured rate, and its output says that it is a simulation', () => {
    expect(simulated(at, 0.1, chance(0.0999))).toEqual({
      type: 'fail_step',
      ...at,
      reason: 'Simulated failure',
      simulated: true,
    });
    expect(simulated(at, 0.1, chance(0.1))).toMatchObject({ type: 'finish_step', report: { simulated: true } });
    expect(simulated(at, 0, chance(0))).toMatchObject({ type: 'finish_step' });
    expect(simulated(at, 1, chance(0.9999))).toMatchObject({ type: 'fail_step' });
  });

  it.each([
    [0, 1000],
    [0.5, 3500],
    [0.99999, 6000],
  ])('reports between one and six seconds: a random number of %d gives %d ms', (luck, reportedMs) => {
    expect(simulated(at, 0, chance(0.5, luck))).toMatchObject({
      report: { reportedMs },
      output: { simulated: true, executionTimeMs: reportedMs },
    });
  });
});
