import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyStep, countConnections, insertSteps, moveStep, removeStep, replaceStep } from './arrange-steps.ts';
import { checkGraph } from './graph-problems.ts';
import { STEP_TYPES, type Step } from '../steps/index.ts';
import { linksOf, stepOf, stepsOf, workflowOf } from './workflow.arbitrary.ts';

describe('arranging steps', () => {
  it.each([
    [
      'links an added step into the chain',
      (s: Step[]) => insertSteps(s, [stepOf({ id: 'n' })], 1),
      { a: 'n', n: 'b', b: 'c', c: '' },
    ],
    [
      'links a step added at the end to the last one',
      (s: Step[]) => insertSteps(s, [stepOf({ id: 'n' })], 3),
      { a: 'b', b: 'c', c: 'n', n: '' },
    ],
    [
      'treats a row past the end as the end',
      (s: Step[]) => insertSteps(s, [stepOf({ id: 'n' })], 99),
      { a: 'b', b: 'c', c: 'n', n: '' },
    ],
    ['closes the chain after a step is removed', (s: Step[]) => removeStep(s, 'b'), { a: 'c', c: '' }],
    ['links a moved step at its new place only', (s: Step[]) => moveStep(s, 'a', 2), { b: 'c', c: 'a', a: '' }],
    ['inserts a copy after its source', (s: Step[]) => copyStep(s, 'b', 'n'), { a: 'b', b: 'n', n: 'c', c: '' }],
    [
      'changes nothing for an unknown step',
      (s: Step[]) => removeStep(moveStep(copyStep(s, 'x', 'y'), 'x', 1), 'x'),
      { a: 'b', b: 'c', c: '' },
    ],
  ])('%s', (_, act, links) => {
    expect(linksOf(act(stepsOf({ a: 'b', b: 'c', c: '' })))).toEqual(links);
  });

  it('gives a copy of a condition both branches', () => {
    const config = { condition: 'true', trueNext: 'c', falseNext: 'd' };
    const copied = copyStep(
      stepsOf({ a: 'b', b: 'c d', c: 'e', d: 'e', e: '' }, { b: { type: 'condition', config } }),
      'b',
      'n',
    );
    expect(checkGraph(copied)).toEqual([]);
    expect(copied.find(({ id }) => id === 'n')).toMatchObject({ type: 'condition', next: ['c', 'd'], config });
    expect(linksOf(copied)).toMatchObject({ b: 'n d', n: 'c d' });
  });

  it('works with an empty list', () => {
    const one = insertSteps([], [stepOf({ id: 'a' })], 0);
    expect(linksOf(insertSteps(one, [stepOf({ id: 'b' })], 1))).toEqual({ a: 'b', b: '' });
    expect(removeStep(one, 'a')).toEqual([]);
  });

  it('preserves every valid link while someone removes a cycle', () => {
    const broken = stepsOf({ a: 'b d', b: 'c', c: 'b', d: '' });
    expect(linksOf(moveStep(broken, 'd', 0))).toEqual({ d: '', a: 'b d', b: 'c', c: 'b' });
    expect(linksOf(insertSteps(broken, [stepOf({ id: 'n' })], 4))).toEqual({ a: 'b d', b: 'c', c: 'b', d: '', n: '' });
    expect(linksOf(removeStep(broken, 'c'))).toEqual({ a: 'b d', b: '', d: '' });
  });

  it('replaces a step with exactly the given one', () => {
    const steps = stepsOf({ a: 'b', b: 'c', c: '' });
    const [a, b, c] = steps;
    const changed = stepOf({ id: 'b', type: 'approval', next: [] });
    expect(replaceStep(steps, changed)).toEqual([a, changed, c]);
    expect(replaceStep(steps, stepOf({ id: 'x' }))).toEqual([a, b, c]);
  });

  it('preserves a step’s other data and the identity of unchanged steps', () => {
    fc.assert(
      fc.property(
        workflowOf({ maxSteps: 12 }),
        fc.nat(20),
        fc.nat(20),
        fc.constantFrom(...STEP_TYPES),
        (steps, from, to, type) => {
          const at = steps[from % steps.length];
          if (!at) return;
          const before = JSON.stringify(steps);
          const results = [
            moveStep(steps, at.id, to % steps.length),
            insertSteps(steps, [stepOf({ id: 'new', type, config: {} })], to % (steps.length + 1)),
            copyStep(steps, at.id, 'new'),
            removeStep(steps, at.id),
          ];
          expect(JSON.stringify(steps)).toBe(before);
          for (const result of results) {
            expect(checkGraph(result)).toEqual([]);
            for (const step of steps) {
              const arranged = result.find(({ id }) => id === step.id);
              if (!arranged) continue;
              expect([arranged.type, arranged.title, arranged.sla]).toEqual([step.type, step.title, step.sla]);
              const { trueNext: _t, falseNext: _f, onReject: _r, ...own } = arranged.config as Record<string, unknown>;
              expect(step.config).toMatchObject(own);
              if (JSON.stringify(arranged) === JSON.stringify(step)) expect(arranged).toBe(step);
            }
          }
        },
      ),
    );
  });

  it('counts repeated links once', () => {
    expect(countConnections(stepsOf({ a: 'b c', b: 'c', c: '' }))).toBe(3);
    expect(countConnections([stepOf({ id: 'a', next: ['b', 'b'] })])).toBe(1);
  });
});
