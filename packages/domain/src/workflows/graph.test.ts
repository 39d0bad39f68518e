import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { branchTaken, type ConditionStep, type Step } from '../steps/index.ts';
import { graphOf, graphOfVersion, reachableFrom, topologicalOrder } from './graph.ts';
import { stepsOf, workflowOf } from './workflow.arbitrary.ts';

describe('graphOf', () => {
  test('has next steps, previous steps and roots', () => {
    const graph = graphOf(stepsOf({ a: 'b c', b: 'd', c: 'd', d: '', e: 'd' }));
    expect(graph.ids).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(graph.roots).toEqual(['a', 'e']);
    expect(graph.next('a')).toEqual(['b', 'c']);
    expect(graph.previous('d')).toEqual(['b', 'c', 'e']);
    expect([graph.has('x'), graph.next('x'), graph.previous('x')]).toEqual([false, [], []]);
  });

  test('omits edges to missing steps and counts a repeated edge once', () => {
    const graph = graphOf(stepsOf({ a: 'b b ghost', b: '' }));
    expect(graph.next('a')).toEqual(['b']);
    expect(graph.previous('b')).toEqual(['a']);
  });

  test('accepts ids that are JavaScript property names', () => {
    const graph = graphOf([
      { id: '__proto__', next: ['constructor'] },
      { id: 'constructor', next: [] },
    ]);
    expect(graph.previous('constructor')).toEqual(['__proto__']);
    expect(graph.has('toString')).toBe(false);
  });
});

test('graphOfVersion builds the graph of the same steps only once', () => {
  const steps = stepsOf({ a: 'b', b: '' });
  const graph = graphOfVersion(steps);
  expect(graph.next('a')).toEqual(['b']);
  expect(graphOfVersion(steps)).toBe(graph);
  expect(graphOfVersion([...steps])).not.toBe(graph);
});

describe('topologicalOrder', () => {
  test('puts every step after all its predecessors', () => {
    fc.assert(
      fc.property(workflowOf({ maxSteps: 15 }), (steps) => {
        const order = topologicalOrder(graphOf(steps.toReversed()));
        expect(order.toSorted()).toEqual(steps.map((step) => step.id).toSorted());
        for (const step of steps)
          for (const id of step.next) expect(order.indexOf(id)).toBeGreaterThan(order.indexOf(step.id));
      }),
    );
  });

  test('omits steps on a cycle or after one', () => {
    expect(topologicalOrder(graphOf(stepsOf({ a: 'b', b: 'c', c: 'b d', d: '' })))).toEqual(['a']);
  });
});

test('reachableFrom finds the given steps and all their successors', () => {
  const graph = graphOf(stepsOf({ a: 'b', b: 'c', c: 'b', d: 'c', e: '' }));
  expect([...reachableFrom(graph, ['b'])]).toEqual(['b', 'c']);
  expect([...reachableFrom(graph, ['d', 'ghost'])]).toEqual(['d', 'c', 'b']);
});

describe('branchTaken', () => {
  const condition = (next: string, config: ConditionStep['config']): ConditionStep => {
    const [step] = stepsOf({ q: next }, { q: { type: 'condition', config } as Partial<Step> });
    if (step?.type !== 'condition') throw new Error('not a condition');
    return step;
  };
  test.each([
    ['each result’s target if both results name one', 't f', { trueNext: 't', falseNext: 'f' }, ['t'], ['f']],
    [
      'a next step that is nobody’s target for both results, after each result’s own target',
      't f u',
      { trueNext: 't', falseNext: 'f' },
      ['t', 'u'],
      ['f', 'u'],
    ],
    ['the next step that is not a target for the result that names none', 't u', { trueNext: 't' }, ['t'], ['u']],
    ['nothing for false if there is no other branch', 't', { trueNext: 't' }, ['t'], []],
    ['nothing for true if only false names a step', 'f', { falseNext: 'f' }, [], ['f']],
    ['all next steps for both results if neither names one', 'a b', {}, ['a', 'b'], ['a', 'b']],
    ['the same step for both results if both name it', 'a', { trueNext: 'a', falseNext: 'a' }, ['a'], ['a']],
    ['all next steps if the named target isn’t among them', 'a', { trueNext: 'ghost', falseNext: '' }, ['a'], ['a']],
  ])('returns %s', (_case, next, config, onTrue, onFalse) => {
    expect(branchTaken(condition(next, config), true)).toEqual(onTrue);
    expect(branchTaken(condition(next, config), false)).toEqual(onFalse);
  });
});
