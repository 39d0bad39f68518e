import { describe, expect, it } from 'vitest';
import { newStep } from '../workflows/editor-rows.ts';
import type { Step } from '../steps/index.ts';
import type { WorkflowContent } from '../workflows/content.ts';
import { diffContent } from './diff.ts';
import { mergeContent } from './merge.ts';
import { chain } from './sides.arbitrary.ts';

const step = (id: string, fields: Partial<Step> = {}): Step => ({ ...newStep(id), ...fields });
const [a, b, c, d] = [step('a'), step('b'), step('c'), step('d')];
const base = chain(a, b, c);

describe('a three-way merge', () => {
  it('applies the changes of each side', () => {
    const live = chain({ ...a, title: 'Live' }, b, c);
    const draft = {
      ...chain({ ...a, sla: '2h' }, b, { ...c, title: 'Draft' }),
      metadata: { title: 'Suppliers', description: '' },
    };
    expect(mergeContent(base, live, draft)).toEqual({
      content: { ...chain({ ...a, title: 'Live', sla: '2h' }, b, { ...c, title: 'Draft' }), metadata: draft.metadata },
      conflicts: [],
    });
  });

  it('treats a missing metadata field as empty', () => {
    const old = { ...chain(a), metadata: { title: 'Suppliers' } as WorkflowContent['metadata'] };
    const now = { ...chain(a), metadata: { title: 'Suppliers', description: '' } };
    expect(mergeContent(old, now, old)).toEqual({ content: old, conflicts: [] });
    expect(diffContent(old, now).metadata).toEqual({});
  });

  it('reports a field that both sides changed, and keeps the draft’s value', () => {
    const merged = mergeContent(base, chain({ ...a, sla: '2h' }, b, c), chain({ ...a, sla: '3h' }, b, c));
    expect(merged.conflicts).toEqual([
      { on: 'step', stepId: 'a', field: 'sla', base: '1 day', live: '2h', draft: '3h' },
    ]);
    expect(merged.content).toEqual(chain({ ...a, sla: '3h' }, b, c));
  });

  it('reports a workflow title that both sides changed', () => {
    const titled = (title: string) => ({ ...base, metadata: { title, description: '' } });
    expect(mergeContent(base, titled('L'), titled('D'))).toEqual({
      content: titled('D'),
      conflicts: [{ on: 'metadata', field: 'title', base: 'Vendors', live: 'L', draft: 'D' }],
    });
  });

  it('treats everything as new if there is no base version', () => {
    const titled = (title: string, description: string) => ({ ...base, metadata: { title, description } });
    expect(mergeContent(null, titled('L', ''), titled('D', 'More'))).toEqual({
      content: titled('D', 'More'),
      conflicts: [{ on: 'metadata', field: 'title', base: '', live: 'L', draft: 'D' }],
    });
    expect(mergeContent(null, titled('', 'Less'), titled('D', 'More')).conflicts).toEqual([
      { on: 'metadata', field: 'description', base: '', live: 'Less', draft: 'More' },
    ]);
  });

  const fieldsInConflict = (live: WorkflowContent, draft: WorkflowContent, from = base) =>
    mergeContent(from, live, draft).conflicts.map((conflict) => [
      conflict.on === 'step' ? conflict.stepId : conflict.on,
      conflict.field,
    ]);

  it('reports only the differing parts of a type and its settings', () => {
    const withA = (fields: Partial<Step>) => chain({ ...a, ...fields }, b, c);
    expect(fieldsInConflict(withA({ type: 'approval', config: {} }), withA({ type: 'automated', config: {} }))).toEqual(
      [['a', 'type']],
    );
    expect(
      fieldsInConflict(withA({ config: { assignedRole: 'legal' } }), withA({ config: { assignedRole: 'finance' } })),
    ).toEqual([['a', 'config']]);
  });

  const linked = (content: WorkflowContent, next: Record<string, string[]>): WorkflowContent => ({
    ...content,
    steps: content.steps.map((each) => ({ ...each, next: next[each.id] ?? each.next })),
  });
  const e = step('e');
  const [four, five] = [chain(a, b, c, d), chain(a, b, c, d, e)];

  it('reports a step whose links both sides changed differently', () => {
    const leading = (next: string[]) => linked(four, { a: next });
    expect(fieldsInConflict(leading(['c']), leading(['d']), leading(['b', 'c']))).toEqual([['a', 'next']]);
  });

  it.each<[string, base: Record<string, string[]>, live: WorkflowContent, draft: WorkflowContent, [string, string][]]>([
    [
      'reports a lost link in addition to another step’s conflict',
      { a: ['b', 'e'], b: ['e'] },
      linked(chain(a, b, d, e), { a: ['e'], b: ['e'] }),
      linked(five, { a: ['d'], b: ['c', 'e'] }),
      [
        ['a', 'next'],
        ['b', 'next'],
      ],
    ],
    [
      'reports a lost link only once if the links themselves are in conflict',
      { a: ['b', 'e'] },
      linked(chain(a, b, d, e), { a: ['e'] }),
      linked(five, { a: ['c', 'e'] }),
      [['a', 'next']],
    ],
    [
      'reports no lost link if the step itself is in conflict',
      { b: ['c', 'e'] },
      chain(a, d, e),
      linked(chain(a, { ...b, description: 'More' }, c, d, e), { b: ['c', 'e'] }),
      [['b', 'step']],
    ],
  ])('%s', (_, from, live, draft, expected) => {
    expect(fieldsInConflict(live, draft, linked(five, from))).toEqual(expected);
  });

  it('reports a new step’s lost link without a base value', () => {
    const draft = linked(chain(a, b, c, d, step('x')), { d: ['x'], x: ['c', 'd'] });
    expect(mergeContent(four, chain(a, b, d), draft).conflicts).toContainEqual({
      on: 'step',
      stepId: 'x',
      field: 'next',
      base: null,
      live: null,
      draft: ['c', 'd'],
    });
  });

  it('reports no order conflict if both sides added the same step at different places', () => {
    expect(fieldsInConflict(chain(a, d, b, c), chain(a, b, d, c))).toEqual([]);
  });

  it('adds the new steps of both sides and relinks the chain', () => {
    expect(mergeContent(base, chain(a, step('live'), b, c), chain(a, b, c, step('draft')))).toEqual({
      content: chain(a, step('live'), b, c, step('draft')),
      conflicts: [],
    });
    const sameGap = mergeContent(base, chain(a, step('live'), b, c), chain(a, step('draft'), b, c));
    expect(sameGap).toEqual({ content: chain(a, step('draft'), step('live'), b, c), conflicts: [] });
  });

  it('removes a step that one side removed and the other didn’t change', () => {
    expect(mergeContent(base, chain(a, c), chain(a, b, step('n'), c))).toEqual({
      content: chain(a, step('n'), c),
      conflicts: [],
    });
    expect(mergeContent(base, chain(a, b, step('n'), c), chain(a, c))).toEqual({
      content: chain(a, step('n'), c),
      conflicts: [],
    });
  });

  it('keeps a step that one side removed and the other changed, and reports a conflict', () => {
    const edited = { ...b, title: 'Edited' };
    const merged = mergeContent(base, chain(a, edited, c), chain(a, c));
    expect(merged.content).toEqual(chain(a, edited, c));
    expect(merged.conflicts).toMatchObject([
      { on: 'step', stepId: 'b', field: 'step', live: { title: 'Edited' }, draft: null },
    ]);
    expect(mergeContent(base, chain(a, c), chain(a, edited, c)).content).toEqual(chain(a, edited, c));
  });

  it('uses the order of the side that moved steps', () => {
    const edited = chain(a, { ...b, title: 'Edited' }, c);
    expect(mergeContent(base, chain(c, a, b), edited)).toEqual({
      content: chain(c, a, { ...b, title: 'Edited' }),
      conflicts: [],
    });
    expect(mergeContent(base, edited, chain(c, a, b))).toEqual({
      content: chain(c, a, { ...b, title: 'Edited' }),
      conflicts: [],
    });
    expect(mergeContent(base, chain(c, a, b), chain(a, b, d, c)).content.steps.map(({ id }) => id)).toEqual([
      'c',
      'a',
      'b',
      'd',
    ]);
  });

  it('reports a conflict if both sides changed the order differently', () => {
    expect(mergeContent(base, chain(b, a, c), chain(c, a, b))).toEqual({
      content: chain(c, a, b),
      conflicts: [
        { on: 'order', field: 'order', base: ['a', 'b', 'c'], live: ['b', 'a', 'c'], draft: ['c', 'a', 'b'] },
      ],
    });
  });

  it('takes type and settings from the same side', () => {
    const live = chain(a, { ...b, type: 'approval', config: { minimumApprovers: 2 } }, c);
    const draft = chain(a, { ...b, config: { assignedRole: 'reviewer' } } as Step, c);
    const { content, conflicts } = mergeContent(base, live, draft);
    expect(content.steps[1]).toMatchObject({ type: 'manual', config: { assignedRole: 'reviewer' } });
    expect(conflicts.map((conflict) => conflict.field)).toEqual(['type', 'config']);
    expect(mergeContent(base, live, base).content.steps[1]).toMatchObject({
      type: 'approval',
      config: { minimumApprovers: 2 },
    });
  });

  it('drops a link to a step that the other side removed, and reports a conflict', () => {
    const branching = {
      ...base,
      steps: base.steps.map((each) => (each.id === 'a' ? { ...each, next: ['b', 'c'] } : each)),
    };
    const { content, conflicts } = mergeContent(base, branching, chain(a, b));
    expect(content.steps.map(({ id, next }) => [id, next])).toEqual([
      ['a', ['b']],
      ['b', []],
    ]);
    expect(conflicts).toEqual([
      { on: 'step', stepId: 'a', field: 'next', base: ['b'], live: ['b', 'c'], draft: ['b'] },
    ]);
  });

  it('reports links once if both sides changed them and one leads to a removed step', () => {
    const linked = (content: WorkflowContent, next: string[]) => ({
      ...content,
      steps: content.steps.map((each) => (each.id === 'a' ? { ...each, next } : each)),
    });
    const live = linked(chain(a, b, d), ['b', 'd']);
    const { content, conflicts } = mergeContent(base, live, linked(base, ['b', 'c']));
    expect(content.steps[0]?.next).toEqual(['b']);
    expect(conflicts).toEqual([
      { on: 'step', stepId: 'a', field: 'next', base: ['b'], live: ['b', 'd'], draft: ['b', 'c'] },
    ]);
  });

  it('compares field by field if there is no base', () => {
    const { content, conflicts } = mergeContent(null, chain(a, { ...b, sla: '2h' }), chain(a, { ...b, sla: '3h' }));
    expect(content).toEqual(chain(a, { ...b, sla: '3h' }));
    expect(conflicts).toEqual([{ on: 'step', stepId: 'b', field: 'sla', base: null, live: '2h', draft: '3h' }]);
  });
});
