import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkGraph } from './graph-problems.ts';
import type { Step } from '../steps/index.ts';
import { stepOf, stepsOf, workflowOf } from './workflow.arbitrary.ts';

const approval = (onReject: string): Partial<Step> => ({ type: 'approval', config: { onReject } });

describe('checkGraph', () => {
  test.each([
    ['nothing for an empty list', [], []],
    ['nothing for a fork and a join', stepsOf({ a: 'b c', b: 'd', c: 'd', d: '' }), []],
    [
      'a repeated id once',
      [stepOf({ id: 'a' }), stepOf({ id: 'a' }), stepOf({ id: 'a' })],
      [{ code: 'duplicate_step_id', stepId: 'a' }],
    ],
    ['a missing step', stepsOf({ a: 'b', b: 'x' }), [{ code: 'unknown_next', stepId: 'b', target: 'x' }]],
    [
      'a cycle’s steps in order, and steps reachable only through it',
      stepsOf({ a: 'e', b: 'c', c: 'd', d: 'b e', e: '' }),
      [
        { code: 'cycle', stepIds: ['b', 'c', 'd'] },
        { code: 'unreachable', stepId: 'b' },
        { code: 'unreachable', stepId: 'c' },
        { code: 'unreachable', stepId: 'd' },
      ],
    ],
    ['a cycle that can be reached', stepsOf({ a: 'b', b: 'c', c: 'b' }), [{ code: 'cycle', stepIds: ['b', 'c'] }]],
    ['a step that leads to itself', stepsOf({ a: 'b', b: 'b' }), [{ code: 'cycle', stepIds: ['b'] }]],
    [
      'a branch that is not among the next steps',
      stepsOf({ q: 't', t: '', f: '' }, { q: { type: 'condition', config: { trueNext: 't', falseNext: 'f' } } }),
      [{ code: 'condition_target_not_next', stepId: 'q', branch: 'falseNext', target: 'f' }],
    ],
    [
      'nothing for blank branches',
      stepsOf({ q: 't', t: '' }, { q: { type: 'condition', config: { trueNext: '', falseNext: 't' } } }),
      [],
    ],
    ['nothing for a return to an earlier step', stepsOf({ a: 'b', b: 'c', c: '' }, { c: approval('a') }), []],
    [
      'a return to a later, parallel or unknown step, or to the step itself',
      stepsOf(
        { a: 'b c d e', b: 'x', c: '', d: '', e: '', x: '' },
        { b: approval('x'), c: approval('b'), d: approval('ghost'), e: approval('e') },
      ),
      [
        { code: 'on_reject_not_ancestor', stepId: 'b', target: 'x' },
        { code: 'on_reject_not_ancestor', stepId: 'c', target: 'b' },
        { code: 'on_reject_not_ancestor', stepId: 'd', target: 'ghost' },
        { code: 'on_reject_not_ancestor', stepId: 'e', target: 'e' },
      ],
    ],
  ])('reports %s', (_what, steps: Step[], problems) => {
    expect(checkGraph(steps)).toEqual(problems);
  });

  test('reports nothing for any valid workflow', () => {
    fc.assert(
      fc.property(workflowOf({ maxSteps: 15 }), (steps) => {
        expect(checkGraph(steps)).toEqual([]);
      }),
    );
  });

  test('agrees with the transitive closure for any links', () => {
    const size = 6;
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const links = fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)), { maxLength: 9 });
    const returns = fc.array(fc.constantFrom(...ids), { minLength: size, maxLength: size });
    fc.assert(
      fc.property(links, returns, (edges, onReject) => {
        const steps = ids.map((id, at) =>
          stepOf({
            id,
            next: edges.filter(([from]) => from === id).map(([, to]) => to),
            ...approval(onReject[at] ?? ''),
          }),
        );
        const leads = new Set(edges.map(([from, to]) => from + to));
        for (const via of ids)
          for (const from of ids)
            for (const to of ids) if (leads.has(from + via) && leads.has(via + to)) leads.add(from + to);

        const problems = checkGraph(steps);
        const onCycle = ids.filter((id) => leads.has(id + id));
        const named = problems.flatMap((problem) => (problem.code === 'cycle' ? problem.stepIds : []));
        for (const id of named) expect(onCycle).toContain(id);
        // At least one cycle of each connected group is reported, so each step on a cycle shares one with a reported
        // step.
        for (const id of onCycle)
          expect(named.some((other) => other === id || (leads.has(id + other) && leads.has(other + id)))).toBe(true);
        for (const problem of problems) {
          if (problem.code !== 'cycle') continue;
          problem.stepIds.forEach((id, at) => {
            const following = problem.stepIds[(at + 1) % problem.stepIds.length] ?? '';
            expect(steps.find((step) => step.id === id)?.next).toContain(following);
          });
        }
        const roots = ids.filter((id) => !ids.some((from) => leads.has(from + id)));
        const lost = ids.filter((id) => !roots.includes(id) && !roots.some((root) => leads.has(root + id)));
        expect(problems.flatMap((problem) => (problem.code === 'unreachable' ? [problem.stepId] : []))).toEqual(lost);
        const behindCycle = (id: string) => onCycle.some((other) => other === id || leads.has(other + id));
        const wrong = steps.filter((step, at) => !behindCycle(step.id) && !leads.has((onReject[at] ?? '') + step.id));
        expect(
          problems.flatMap((problem) => (problem.code === 'on_reject_not_ancestor' ? [problem.stepId] : [])),
        ).toEqual(wrong.map((step) => step.id));
      }),
      { numRuns: 500 },
    );
  });

  test('handles the largest workflow: 1000 approval steps with up to 200 links and a return each', () => {
    const count = 1000;
    const steps = Array.from({ length: count }, (_, at): Step => {
      const next = Array.from({ length: Math.min(200, count - 1 - at) }, (_unused, jump) => `s${at + 1 + jump}`);
      return stepOf({ id: `s${at}`, next, type: 'approval', config: at === 0 ? {} : { onReject: `s${at - 1}` } });
    });
    expect(checkGraph(steps)).toEqual([]);
  });

  test('handles a cycle of a thousand steps, and a thousand steps that each lead to 200 others', () => {
    const ring = Array.from({ length: 1000 }, (_, at) => stepOf({ id: `s${at}`, next: [`s${(at + 1) % 1000}`] }));
    const [problem] = checkGraph(ring);
    expect(problem?.code === 'cycle' && problem.stepIds.length).toBe(1000);
    const tangle = Array.from({ length: 1000 }, (_, at) =>
      stepOf({ id: `s${at}`, next: Array.from({ length: 200 }, (_unused, jump) => `s${(at + jump * 5) % 1000}`) }),
    );
    expect(checkGraph(tangle).filter(({ code }) => code === 'cycle').length).toBeLessThanOrEqual(1000);
  });
});
