import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkGraph } from './graph-problems.ts';
import { linearNext, relinkAfterReorder } from './relink.ts';
import type { Step } from '../steps/index.ts';
import { linksOf, stepOf, stepsOf, workflowOf } from './workflow.arbitrary.ts';

/** Returns the rows of `before` in the given order; unknown letters are new rows. */
function arranged(before: readonly Step[], order: string): Step[] {
  return order.split('').map((id) => before.find((step) => step.id === id) ?? stepOf({ id }));
}
const chain = (order: string) => linksOf(linearNext(arranged([], order)));
const condition: Partial<Step> = { type: 'condition', config: { trueNext: 'c', falseNext: 'd' } };
const decision = stepsOf({ a: 'b', b: 'c d', c: 'e', d: 'e', e: '' }, { b: condition });

describe('a plain chain', () => {
  test.each([
    ['a row moved down', 'bcda'],
    ['a row moved up', 'dabc'],
    ['two rows swapped', 'acbd'],
    ['all rows reversed', 'dcba'],
    ['a row added on top', 'xabcd'],
    ['rows added in between', 'axybcd'],
    ['a row added at the end', 'abcdx'],
    ['the first row removed', 'bcd'],
    ['a row in the middle removed', 'abd'],
    ['all rows replaced', 'xyz'],
    ['rows moved, added and removed together', 'xdby'],
    ['all rows removed', ''],
  ])('stays one after an edit: %s', (_edit, order) => {
    expect(
      linksOf(
        relinkAfterReorder(
          stepsOf({ a: 'b', b: 'c', c: 'd', d: '' }),
          arranged(stepsOf({ a: 'b', b: 'c', c: 'd', d: '' }), order),
        ),
      ),
    ).toEqual(chain(order));
  });

  test('is still a plain chain after any edit', () => {
    const edit = fc.shuffledSubarray(Array.from('abcdefghijkl'), { minLength: 0 });
    fc.assert(
      fc.property(fc.subarray(Array.from('abcdefghijkl')), edit, (had, has) => {
        const before = linearNext(arranged([], had.join('')));
        expect(linksOf(relinkAfterReorder(before, arranged(before, has.join(''))))).toEqual(chain(has.join('')));
      }),
    );
  });
});

describe('a workflow with branches', () => {
  const branches = (steps: readonly Step[]) => steps.find((step) => step.id === 'b')?.config;
  test.each([
    ['nothing changed', 'abcde', { a: 'b', b: 'c d', c: 'e', d: 'e', e: '' }, condition.config],
    ['its branches swapped in the table', 'abdce', { a: 'b', b: 'c d', d: 'e', c: 'e', e: '' }, condition.config],
    ['a row added above it', 'axbcde', { a: 'x', x: 'b', b: 'c d', c: 'e', d: 'e', e: '' }, condition.config],
    [
      'a row added on its first branch',
      'abxcde',
      { a: 'b', b: 'x d', x: 'c', c: 'e', d: 'e', e: '' },
      { trueNext: 'x', falseNext: 'd' },
    ],
    [
      'a row added after its first branch',
      'abcxde',
      { a: 'b', b: 'c d', c: 'x', x: 'e', d: 'e', e: '' },
      condition.config,
    ],
    ['a row added at the end', 'abcdex', { a: 'b', b: 'c d', c: 'e', d: 'e', e: 'x', x: '' }, condition.config],
    ['a branch removed', 'abce', { a: 'b', b: 'c e', c: 'e', e: '' }, { trueNext: 'c', falseNext: 'e' }],
    ['the first row moved to the end', 'bcdea', { b: 'c d', c: 'e', d: 'e', e: 'a', a: '' }, condition.config],
    ['the decision removed', 'acde', { a: 'c d', c: 'e', d: 'e', e: '' }, undefined],
    ['the join removed', 'abcd', { a: 'b', b: 'c d', c: '', d: '' }, condition.config],
  ])('keeps or adapts its links after an edit: %s', (_edit, order, links, config) => {
    const relinked = relinkAfterReorder(decision, arranged(decision, order));
    expect(linksOf(relinked)).toEqual(links);
    expect(branches(relinked)).toEqual(config);
  });

  test('keeps a decision’s branches if a row moves within one', () => {
    const before = stepsOf({ a: 'b', b: 'c d', c: 'x', x: 'y', y: 'e', d: 'e', e: '' }, { b: condition });
    expect(linksOf(relinkAfterReorder(before, arranged(before, 'abcyxde')))).toEqual({
      a: 'b',
      b: 'c d',
      c: 'y',
      y: 'x',
      x: 'e',
      d: 'e',
      e: '',
    });
  });

  test('keeps a join; a row that moves above it joins the branch of the previous row', () => {
    const before = stepsOf({ a: 'b', b: 'c d', c: 'e', d: 'e', e: 'x', x: '' }, { b: condition });
    expect(linksOf(relinkAfterReorder(before, arranged(before, 'abcdxe')))).toEqual({
      a: 'b',
      b: 'c d',
      c: 'e',
      d: 'x',
      x: 'e',
      e: '',
    });
  });

  test('links a new first row to all former roots', () => {
    const before = stepsOf({ c: '', r: 'm', m: 'n', n: 'c' });
    expect(linksOf(relinkAfterReorder(before, arranged(before, 'xcrnm')))).toEqual({
      x: 'r',
      c: '',
      r: 'n',
      n: 'm',
      m: 'c',
    });
  });

  test('links all ends to a row that is added below a fork whose branches are above it', () => {
    const before = stepsOf({ c: '', d: '', b: 'c d' });
    expect(linksOf(relinkAfterReorder(before, arranged(before, 'cdbx')))).toEqual({ c: 'x', d: 'x', b: 'c d', x: '' });
  });
});

test('edited rows keep their new content', () => {
  const before = stepsOf({ a: 'b', b: '' });
  const after = arranged(before, 'ba').map((step) => ({ ...step, title: `${step.id}!` }));
  expect(relinkAfterReorder(before, after).map((step) => step.title)).toEqual(['b!', 'a!']);
});

test('a rejection’s target is dropped if it is now later or missing, and stays otherwise', () => {
  const before = stepsOf(
    { a: 'b', b: 'c', c: '' },
    { c: { type: 'approval', config: { onReject: 'b', minimumApprovers: 2 } } },
  );
  const configOf = (order: string) =>
    relinkAfterReorder(before, arranged(before, order)).find((step) => step.id === 'c')?.config;
  expect(configOf('acb')).toEqual({ minimumApprovers: 2 });
  expect(configOf('ac')).toEqual({ minimumApprovers: 2 });
  expect(configOf('bac')).toEqual({ minimumApprovers: 2, onReject: 'b' });
});

test('invalid links are replaced by a plain chain', () => {
  for (const before of [stepsOf({ a: 'b', b: 'a' }), stepsOf({ a: 'ghost', b: '' }), stepsOf({ a: 'a', b: '' })]) {
    expect(linksOf(relinkAfterReorder(before, arranged(before, 'ba')))).toEqual({ b: 'a', a: '' });
  }
});

test('links are replaced by a plain chain if a step would get too many', () => {
  const ids = (letter: string) => Array.from({ length: 150 }, (_, at) => `${letter}${at}`);
  const leaves = [...ids('x'), ...ids('y')].map((id) => stepOf({ id }));
  const before = [stepOf({ id: 'a', next: ['b', ...ids('x')] }), stepOf({ id: 'b', next: ids('y') }), ...leaves];
  const after = before.filter((step) => step.id !== 'b');
  expect(relinkAfterReorder(before, after)).toEqual(linearNext(after));
});

test('any edit gives a valid workflow, and unchanged rows give an unchanged workflow', () => {
  const edit = fc.record({
    keep: fc.infiniteStream(fc.boolean()),
    order: fc.infiniteStream(fc.nat(1000)),
    isShuffled: fc.boolean(),
    isPruned: fc.boolean(),
    added: fc.array(fc.nat(14), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(workflowOf({ maxSteps: 14 }), edit, (before, { keep, order, isShuffled, isPruned, added }) => {
      const remaining = before.filter(() => !isPruned || keep.next().value === true);
      const keys = new Map(remaining.map((step) => [step, Number(order.next().value)]));
      const after = isShuffled
        ? remaining.toSorted((one, two) => (keys.get(one) ?? 0) - (keys.get(two) ?? 0))
        : [...remaining];
      added.forEach((at, n) => after.splice(at, 0, stepOf({ id: `new${n}` })));

      const relinked = relinkAfterReorder(before, after);
      expect(relinked.map(({ id, type, title }) => [id, type, title])).toEqual(
        after.map(({ id, type, title }) => [id, type, title]),
      );
      expect(checkGraph(relinked)).toEqual([]);
      if (remaining.length === before.length && !isShuffled && added.length === 0) expect(relinked).toEqual(before);
    }),
    { numRuns: 400 },
  );
});

test('a row added to a reversed chain of a thousand steps gives a plain chain', () => {
  const before = linearNext(Array.from({ length: 999 }, (_, at) => stepOf({ id: `s${at}` })));
  const after = [stepOf({ id: 'x' }), ...before.toReversed()];
  expect(relinkAfterReorder(before, after)).toEqual(linearNext(after));
});
