import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyContent, contentAndEdit } from '../workflows/content.arbitrary.ts';
import { sameContent } from '../workflows/content-hash.ts';
import { newStep } from '../workflows/editor-rows.ts';
import type { Step } from '../steps/index.ts';
import { diffContent, diffSteps, isUnchanged } from './diff.ts';

const step = (id: string, fields: Partial<Step> = {}): Step => ({ ...newStep(id), ...fields });

function chain(...steps: Step[]): Step[] {
  return steps.map((each, index) => ({ ...each, next: steps.slice(index + 1, index + 2).map(({ id }) => id) }));
}

describe('the diff of steps', () => {
  it('reports a step inserted into a chain or removed from it, but not its neighbors', () => {
    const before = chain(step('a'), step('c'));
    const after = chain(step('a'), step('b'), step('c'));
    expect(diffSteps(before, after)).toEqual({
      summary: { added: ['b'], removed: [], modified: [] },
      detailed: [{ id: 'b', type: 'added', value: after[1], previous: ['a'] }],
    });
    expect(diffSteps(after, before)).toEqual({
      summary: { added: [], removed: ['b'], modified: [] },
      detailed: [{ id: 'b', type: 'removed', value: after[1], previous: ['a'] }],
    });
  });

  it('lists each changed field with its old and new value', () => {
    const before = [step('a', { title: 'Collect tax documents', sla: '1 day', config: { assignedRole: 'editor' } })];
    const after = [
      step('a', { title: 'Collect documents', sla: '1 day', config: { assignedRole: 'reviewer' }, next: ['x'] }),
    ];
    expect(diffSteps(before, after).detailed).toEqual([
      {
        id: 'a',
        type: 'modified',
        changes: {
          title: { before: 'Collect tax documents', after: 'Collect documents' },
          config: { before: { assignedRole: 'editor' }, after: { assignedRole: 'reviewer' } },
          next: { before: [], after: ['x'] },
        },
      },
    ]);
  });

  it('ignores the key order of settings', () => {
    const one = [step('a', { type: 'approval', config: { onReject: 'x', minimumApprovers: 2 } })];
    const other = [step('a', { type: 'approval', config: { minimumApprovers: 2, onReject: 'x' } })];
    expect(diffSteps(one, other).detailed).toEqual([]);
  });

  it('reports a moved step as one change with its old and new place and neighbors', () => {
    const [a, b, c, d] = [step('a'), step('b'), step('c'), step('d')];
    expect(diffSteps(chain(a, b, c, d), chain(d, a, b, c))).toEqual({
      summary: { added: [], removed: [], modified: ['d'] },
      detailed: [
        {
          id: 'd',
          type: 'modified',
          changes: {
            next: { before: [], after: ['a'] },
            previous: { before: ['c'], after: [] },
            position: { before: 4, after: 1 },
          },
        },
      ],
    });
  });

  it('reports an added link both at its source and at its target', () => {
    const before = chain(step('a'), step('b'), step('c'));
    const after = before.map((each) => (each.id === 'a' ? { ...each, next: ['b', 'c'] } : each));
    expect(diffSteps(before, after).detailed).toEqual([
      { id: 'a', type: 'modified', changes: { next: { before: ['b'], after: ['b', 'c'] } } },
      { id: 'c', type: 'modified', changes: { previous: { before: ['b'], after: ['a', 'b'] } } },
    ]);
  });

  it('reports a second link from an added step at its target as well', () => {
    const before = chain(step('a'), step('b'), step('c'));
    const added = { ...step('n'), next: ['b', 'c'] };
    const after = before.flatMap((each) => (each.id === 'a' ? [{ ...each, next: ['n'] }, added] : [each]));
    expect(diffSteps(before, after).detailed).toEqual([
      { id: 'n', type: 'added', value: added, previous: ['a'] },
      { id: 'c', type: 'modified', changes: { previous: { before: ['b'], after: ['n', 'b'] } } },
    ]);
  });

  it('reports a step that no longer has a predecessor, even if all other steps follow the list order', () => {
    const before = chain(step('a'), step('b'));
    const after = [{ ...before[0], next: ['n'] } as Step, step('n'), before[1] as Step];
    expect(diffSteps(before, after).detailed).toEqual([
      { id: 'n', type: 'added', value: after[1], previous: ['a'] },
      { id: 'b', type: 'modified', changes: { previous: { before: ['a'], after: [] } } },
    ]);
  });

  it('lists entries in document order, and a removed step at its former place', () => {
    const before = chain(step('r0'), step('a'), step('r1'), step('b'), step('r2'));
    const after = chain(step('a', { sla: '2h' }), step('n1'), step('b', { sla: '2h' }), step('n2'));
    expect(diffSteps(before, after).detailed.map(({ id }) => id)).toEqual(['r0', 'a', 'r1', 'n1', 'b', 'r2', 'n2']);
  });

  it.each<[string, object | null, Step['config'], Step['config']]>([
    [
      'gets its first named branch',
      { onTrue: { before: ['b', 'a'], after: ['a'] }, onFalse: { before: ['b', 'a'], after: ['b'] } },
      {},
      { falseNext: 'b' },
    ],
    [
      'has its branches swapped',
      { onTrue: { before: ['a'], after: ['b'] }, onFalse: { before: ['b'], after: ['a'] } },
      { trueNext: 'a', falseNext: 'b' },
      { trueNext: 'b', falseNext: 'a' },
    ],
    ['leads to the same steps as before', null, { trueNext: 'a' }, { trueNext: 'a', falseNext: 'b' }],
    ['has no branches', null, { condition: 'x' }, { condition: 'y' }],
  ])('compares where a condition’s results lead if it %s: %j', (_, branches, before, after) => {
    const steps = (config: Step['config']) => [
      step('if', { type: 'condition', next: ['b', 'a'], config }),
      step('a'),
      step('b'),
    ];
    expect(diffSteps(steps(before), steps(after)).detailed).toEqual([
      { id: 'if', type: 'modified', changes: { config: { before, after }, ...branches } },
    ]);
  });
});

describe('diffContent', () => {
  it('reports everything as added if nothing was merged yet', () => {
    const after = { metadata: { title: 'Vendors', description: '' }, steps: chain(step('a'), step('b')) };
    const diff = diffContent(null, after);
    expect(diff.summary.added).toEqual(['a', 'b']);
    expect(diff.metadata).toEqual({ title: { before: '', after: 'Vendors' } });
  });

  it('is empty if and only if the contents are the same', () => {
    fc.assert(
      fc.property(fc.oneof(contentAndEdit, fc.tuple(anyContent, anyContent)), ([a, b]) => {
        expect(isUnchanged(diffContent(a, b))).toBe(sameContent(a, b));
        expect(isUnchanged(diffContent(a, a))).toBe(true);
      }),
    );
  });

  it('swaps added with removed and before with after if the contents are swapped', () => {
    fc.assert(
      fc.property(anyContent, anyContent, (a, b) => {
        const there = diffContent(a, b);
        const back = diffContent(b, a);
        expect(new Set(back.summary.added)).toEqual(new Set(there.summary.removed));
        expect(new Set(back.summary.removed)).toEqual(new Set(there.summary.added));
        for (const field of ['title', 'description'] as const) {
          expect(back.metadata[field]?.before).toBe(there.metadata[field]?.after);
        }
      }),
    );
  });

  it('names each step at most once, and only existing steps', () => {
    fc.assert(
      fc.property(anyContent, anyContent, (a, b) => {
        const { summary, detailed } = diffContent(a, b);
        const ids = detailed.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect([...summary.added, ...summary.removed, ...summary.modified].toSorted()).toEqual(ids.toSorted());
        const [inA, inB] = [a, b].map(({ steps }) => new Set(steps.map(({ id }) => id)));
        expect(summary.added.every((id) => inB?.has(id) && !inA?.has(id))).toBe(true);
        expect(summary.removed.every((id) => inA?.has(id) && !inB?.has(id))).toBe(true);
        expect(summary.modified.every((id) => inA?.has(id) && inB?.has(id))).toBe(true);
      }),
    );
  });
});
