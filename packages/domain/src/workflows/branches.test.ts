import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withBranches, branchTaken, type ConditionStep } from '../steps/index.ts';
import { stepsBefore, stepsThatMayFollow } from './graph.ts';
import { checkGraph } from './graph-problems.ts';
import { stepOf, stepsOf, workflowOf } from './workflow.arbitrary.ts';

const condition = (next: string[], config: ConditionStep['config'] = {}): ConditionStep =>
  stepOf({ id: 'x', type: 'condition', next, config }) as ConditionStep;

describe('a condition’s branches', () => {
  it.each<[string[], string[], ConditionStep['config'], ConditionStep['config']]>([
    [['c', 'b'], ['b'], {}, { trueNext: 'c' }],
    [['c', 'd'], ['b'], {}, { trueNext: 'c', falseNext: 'd' }],
    [['b'], ['b'], {}, { trueNext: 'b', falseNext: 'b' }],
    [['c'], ['c', 'd'], { trueNext: 'c', falseNext: 'd' }, { trueNext: 'c' }],
    [['e', 'd'], ['c', 'd'], { trueNext: 'c', falseNext: 'd' }, { trueNext: 'e', falseNext: 'd' }],
    [['d', 'e'], ['c', 'd', 'e'], { trueNext: 'c' }, { trueNext: 'd' }],
    [['d'], ['c', 'd'], { trueNext: 'c' }, {}],
  ])(
    'change the next steps to %j if a step with the next steps %j and the settings %j gets the branches %j',
    (after, next, before, branches) => {
      const changed = withBranches(condition(next, { condition: 'a > 1', ...before }), branches);
      expect(changed.next).toEqual(after);
      expect(changed.config).toEqual({ condition: 'a > 1', ...branches });
      if (branches.trueNext) expect(branchTaken(changed, true)).toContain(branches.trueNext);
      if (branches.falseNext) expect(branchTaken(changed, false)).toContain(branches.falseNext);
    },
  );

  it('are offered only if they create no loop', () => {
    fc.assert(
      fc.property(workflowOf({ maxSteps: 10 }), fc.nat(9), (steps, pick) => {
        const step = steps[pick % steps.length];
        if (!step) return;
        for (const target of stepsThatMayFollow(steps, step.id)) {
          const linked = steps.map((each) =>
            each.id === step.id ? { ...each, next: [...each.next, target.id] } : each,
          );
          expect(checkGraph(linked).filter(({ code }) => code === 'cycle')).toEqual([]);
        }
        const before = stepsBefore(steps, step.id);
        expect(before.some(({ id }) => id === step.id)).toBe(false);
        expect(before.length + stepsThatMayFollow(steps, step.id).length).toBe(steps.length - 1);
      }),
    );
  });

  it('can’t lead back to steps on a cycle before it', () => {
    const steps = stepsOf({ a: 'b', b: 'a c', c: '' });
    expect(stepsBefore(steps, 'a').map(({ id }) => id)).toEqual(['b']);
    expect(stepsThatMayFollow(steps, 'c').map(({ id }) => id)).toEqual([]);
  });
});
