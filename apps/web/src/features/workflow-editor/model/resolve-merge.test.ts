import { copyStep, moveStep, newStep, removeStep } from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editCell, withSteps } from './document.ts';
import { resolveMerge } from './resolve-merge.ts';
import type { MergeSide } from './resolve-merge.ts';

const IDS = ['a', 'b', 'c', 'd'];
const base: WorkflowContent = {
  metadata: { title: 'Title', description: '' },
  steps: IDS.map((id, index) => ({ ...newStep(id), title: id, next: IDS.slice(index + 1, index + 2) })),
};
const titled = (title: string): WorkflowContent => ({ ...base, metadata: { ...base.metadata, title } });
const all = (side: MergeSide, questions: readonly { id: string }[]) =>
  new Map(questions.map(({ id }) => [id, side] as const));
const moved = (id: string, to: number) => withSteps(base, moveStep(base.steps, id, to));
const titles = ({ steps }: WorkflowContent) => steps.map(({ title }) => title);

test('applies a change on one side without asking', () => {
  const merged = resolveMerge(
    { base, theirs: editCell(base, 'a', 'sla', '4h'), mine: editCell(base, 'b', 'task', 'x') },
    new Map(),
  );
  expect(merged.questions).toEqual([]);
  expect(merged.content.steps.map(({ sla, description }) => [sla, description]).slice(0, 2)).toEqual([
    ['4h', base.steps[0]?.description],
    [base.steps[1]?.sla, 'x'],
  ]);
});

describe('the person’s choice if both sides changed the same thing', () => {
  const sides = {
    base,
    theirs: { ...editCell(base, 'a', 'step', 'Theirs'), metadata: titled('Theirs').metadata },
    mine: { ...editCell(base, 'a', 'step', 'Mine'), metadata: titled('Mine').metadata },
  };
  test('resolves each field separately', () => {
    expect(resolveMerge(sides, new Map()).questions.map(({ id }) => id)).toEqual(['metadata:title', 'step:title:a']);
    const one = resolveMerge(sides, new Map([['step:title:a', 'theirs']]));
    expect({ open: one.open, titles: titles(one.content) }).toEqual({ open: 1, titles: ['Theirs', 'b', 'c', 'd'] });
    const both = resolveMerge(
      sides,
      new Map<string, MergeSide>([
        ['step:title:a', 'mine'],
        ['metadata:title', 'theirs'],
      ]),
    );
    expect({ open: both.open, titles: titles(both.content), name: both.content.metadata.title }).toEqual({
      open: 0,
      titles: ['Mine', 'b', 'c', 'd'],
      name: 'Theirs',
    });
  });

  test.each(['mine', 'theirs'] as const)('resolves a type together with its settings in favor of %s', (side) => {
    const typed = (step: object): WorkflowContent => ({
      ...base,
      steps: base.steps.with(0, { ...base.steps[0], ...step } as never),
    });
    const kinds = {
      mine: { type: 'automated', config: { timeout: 5 } },
      theirs: { type: 'approval', config: { minimumApprovers: 2 } },
    };
    const given = { base, theirs: typed(kinds.theirs), mine: typed(kinds.mine) };
    expect(resolveMerge(given, new Map([['step:type:a', side]])).content.steps[0]).toMatchObject(kinds[side]);
  });

  test('resolves a step that one side removed and the other changed', () => {
    const given = {
      base,
      theirs: withSteps(base, removeStep(base.steps, 'b')),
      mine: editCell(base, 'b', 'task', 'More'),
    };
    expect(titles(resolveMerge(given, new Map([['step:step:b', 'theirs']])).content)).toEqual(['a', 'c', 'd']);
    const resolved = resolveMerge(given, new Map([['step:step:b', 'mine']]));
    expect(titles(resolved.content)).toEqual(['a', 'b', 'c', 'd']);
    expect(resolved.content.steps.map(({ next }) => next)).toEqual([['b'], ['c'], ['d'], []]);
  });

  test.each([
    ['mine', ['d', 'a', 'b', 'c']],
    ['theirs', ['b', 'c', 'd', 'a']],
  ] as const)('resolves the order of the steps in favor of %s: %j', (side, order) => {
    const given = { base, theirs: moved('a', 3), mine: moved('d', 0) };
    expect(titles(resolveMerge(given, new Map([['order', side]])).content)).toEqual(order);
  });
});

const change = fc.oneof(
  fc
    .record({
      id: fc.constantFrom(...IDS),
      value: fc.constantFrom('x', 'y'),
      field: fc.constantFrom('step', 'task', 'sla' as const),
    })
    .map(
      ({ id, value, field }) =>
        (content: WorkflowContent) =>
          editCell(content, id, field, value),
    ),
  fc.constantFrom(...IDS).map((id) => (content: WorkflowContent) => withSteps(content, removeStep(content.steps, id))),
  fc.tuple(fc.constantFrom(...IDS), fc.nat(3)).map(
    ([id, to]) =>
      (content: WorkflowContent) =>
        withSteps(content, moveStep(content.steps, id, to)),
  ),
  fc.tuple(fc.constantFrom(...IDS), fc.uuid()).map(
    ([id, copy]) =>
      (content: WorkflowContent) =>
        withSteps(content, copyStep(content.steps, id, copy)),
  ),
);
const edited = fc
  .array(change, { maxLength: 6 })
  .map((changes) => changes.reduce((content, apply) => apply(content), base));

test('choosing one side everywhere resolves all conflicts, and changes made on only one side are preserved', () => {
  fc.assert(
    fc.property(edited, edited, fc.constantFrom<MergeSide>('mine', 'theirs'), (theirs, mine, side) => {
      let { questions, open } = resolveMerge({ base, theirs, mine }, new Map());
      let rounds = 0;
      while (open > 0 && rounds++ < 10)
        ({ questions, open } = resolveMerge({ base, theirs, mine }, all(side, questions)));
      expect(open).toBe(0);
      expect(resolveMerge({ base, theirs: base, mine }, new Map()).content).toEqual(mine);
      expect(resolveMerge({ base, theirs, mine: base }, new Map()).content).toEqual(theirs);
    }),
  );
});
