import { describe, expect, it } from 'vitest';
import { newStep } from '../workflows/editor-rows.ts';
import type { Step } from '../steps/index.ts';
import type { WorkflowContent } from '../workflows/content.ts';
import { type Answer, conflictId, type MergeSides, resolveConflicts } from './resolve-conflicts.ts';
import { chain, DRAFT, LIVE } from './sides.arbitrary.ts';

const step = (id: string, fields: Partial<Step> = {}): Step => ({ ...newStep(id), title: id, ...fields });
const [a, b, c] = [step('a'), step('b'), step('c')];
const base = chain(a, b, c);
const answers = (...given: [string, Answer][]): Map<string, Answer> => new Map(given);

describe('resolving the conflicts of a merge', () => {
  const titles: MergeSides = {
    base,
    live: { ...chain({ ...a, title: 'Live' }, b, c), metadata: { title: 'Live', description: '' } },
    draft: { ...chain({ ...a, title: 'Draft' }, b, c), metadata: { title: 'Draft', description: '' } },
  };

  it('resolves each field separately and counts the open conflicts', () => {
    const none = resolveConflicts(titles, answers());
    expect(none.questions.map(({ id, answer }) => [id, answer])).toEqual([
      ['metadata:title', null],
      ['step:title:a', null],
    ]);
    expect(none.open).toBe(2);
    const one = resolveConflicts(titles, answers(['step:title:a', LIVE]));
    expect(one.open).toBe(1);
    expect(one.content.steps[0]?.title).toBe('Live');
  });

  it.each([
    ['the live version’s text', LIVE, 'Live'],
    ['the draft’s text', DRAFT, 'Draft'],
    ['custom text', { value: 'Own words' }, 'Own words'],
  ] as const)('uses %s (%j)', (_, answer, text) => {
    const { content, open } = resolveConflicts(titles, answers(['step:title:a', answer], ['metadata:title', answer]));
    expect({ open, step: content.steps[0]?.title, workflow: content.metadata.title }).toEqual({
      open: 0,
      step: text,
      workflow: text,
    });
  });

  it('ignores custom text for a field that isn’t text', () => {
    const moved = { base, live: chain(b, a, c), draft: chain(c, a, b) };
    expect(resolveConflicts(moved, answers(['order', { value: 'b, a, c' }])).open).toBe(1);
  });

  it.each([
    [LIVE, ['b', 'a', 'c']],
    [DRAFT, ['c', 'a', 'b']],
  ] as const)('uses one side’s whole order (%j): %j', (answer, order) => {
    const { content, open } = resolveConflicts(
      { base, live: chain(b, a, c), draft: chain(c, a, b) },
      answers(['order', answer]),
    );
    expect({ open, ids: content.steps.map(({ id }) => id) }).toEqual({ open: 0, ids: order });
  });

  it.each([
    [LIVE, { type: 'approval', config: { minimumApprovers: 2 } }],
    [DRAFT, { type: 'automated', config: { timeout: 5 } }],
  ] as const)('uses one side’s type with its settings (%j): %j', (answer, kind) => {
    const live = chain({ ...a, type: 'approval', config: { minimumApprovers: 2 } }, b, c);
    const draft = chain({ ...a, type: 'automated', config: { timeout: 5 } }, b, c);
    const { content, questions } = resolveConflicts({ base, live, draft }, answers(['step:type:a', answer]));
    expect(questions.map(({ id, conflict }) => [id, conflict.field])).toEqual([['step:type:a', 'type']]);
    expect(content.steps[0]).toMatchObject(kind);
  });

  it.each([
    [LIVE, ['a', 'c']],
    [DRAFT, ['a', 'b', 'c']],
  ] as const)('keeps or removes a step that one side removed (%j): %j', (answer, ids) => {
    const { content, open } = resolveConflicts(
      { base, live: chain(a, c), draft: chain(a, { ...b, description: 'More' }, c) },
      answers(['step:step:b', answer]),
    );
    expect(open).toBe(0);
    expect(content.steps.map(({ id, next }) => [id, next])).toEqual(
      ids.map((id, index) => [id, ids.slice(index + 1, index + 2)]),
    );
  });

  it.each([
    ['the draft keeps', DRAFT],
    ['the live version keeps', LIVE],
  ] as const)('asks for the next steps of a step that %s if one of them was removed', (_, answer) => {
    const d = step('d');
    const forked = (content: WorkflowContent): WorkflowContent => ({
      ...content,
      steps: content.steps.map((each) => (each.id === 'b' ? { ...each, next: ['c', 'd'] } : each)),
    });
    const from = forked(chain(a, b, c, d));
    const changed = forked(chain(a, { ...b, description: 'More' }, c, d));
    const gone = chain(a, d);
    const given: MergeSides =
      answer === DRAFT ? { base: from, live: gone, draft: changed } : { base: from, live: changed, draft: gone };
    const before = resolveConflicts(given, answers());
    expect(before.questions.map(({ id }) => id)).toEqual(['step:step:b']);
    const after = resolveConflicts(given, answers(['step:step:b', answer]));
    expect(after.questions.map(({ id }) => id)).toEqual(['step:step:b', 'step:next:b']);
    expect(after.open).toBe(1);
    const loser = answer === DRAFT ? LIVE : DRAFT;
    expect(resolveConflicts(given, answers(['step:step:b', loser])).content.steps.map(({ id }) => id)).toEqual([
      'a',
      'd',
    ]);
  });

  it('keeps the only step if the draft’s change to it is chosen', () => {
    const more = chain({ ...a, description: 'More' });
    const { content, open } = resolveConflicts(
      { base: chain(a), live: chain(), draft: more },
      answers(['step:step:a', DRAFT]),
    );
    expect({ open, steps: content.steps }).toEqual({ open: 0, steps: more.steps });
  });

  it('preserves one-sided changes in a step with resolved conflicts', () => {
    const live = chain({ ...a, title: 'Live' }, b, c);
    const draft = chain({ ...a, title: 'Draft', description: 'More' }, b, c);
    const { content, questions, open } = resolveConflicts({ base, live, draft }, answers(['step:title:a', LIVE]));
    expect({ open, asked: questions.length }).toEqual({ open: 0, asked: 1 });
    expect(content.steps[0]).toMatchObject({ title: 'Live', description: 'More' });
  });

  it('applies the chosen side’s order to the common steps even if that side has additional ones', () => {
    const x = step('x');
    const { content } = resolveConflicts(
      { base, live: chain(x, b, a, c), draft: chain(c, a, b) },
      answers(['order', LIVE]),
    );
    expect(content.steps.map(({ id }) => id)).toEqual(['x', 'b', 'a', 'c']);
  });

  it('identifies conflicts by their subject', () => {
    expect(conflictId({ on: 'metadata', field: 'title' })).toBe('metadata:title');
    expect(conflictId({ on: 'order', field: 'order' })).toBe('order');
    expect(conflictId({ on: 'step', stepId: 'a', field: 'config' })).toBe('step:type:a');
    expect(conflictId({ on: 'step', field: 'sla' })).toBe('step:sla:');
  });

  it('resolves a thousand steps that differ in four fields each', () => {
    const many = (prefix: string): WorkflowContent =>
      chain(
        ...Array.from({ length: 1000 }, (_, n) =>
          step(`s${n}`, { title: prefix + n, description: prefix, assignee: prefix, sla: prefix }),
        ),
      );
    const sides = { base: many('base '), live: many('live '), draft: many('draft ') };
    const open = resolveConflicts(sides, answers());
    expect(open.open).toBe(4000);
    const resolved = resolveConflicts(sides, new Map(open.questions.map(({ id }) => [id, LIVE])));
    expect(resolved).toMatchObject({ open: 0, content: sides.live });
  });
});
