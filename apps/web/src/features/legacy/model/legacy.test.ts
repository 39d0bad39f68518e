import type { Diff } from '@stet/contract';
import { expect, test } from 'vitest';
import { aUser } from '../../../testing/records.ts';
import { diffLines } from './diff-lines.ts';
import { mergeProblem, sampleProblem } from './legacy-role.ts';

test.each([
  ['editor', 'owner', undefined, 'Only reviewers can merge drafts on this page. You can merge on the review page.'],
  ['reviewer', 'owner', 'Only editors can create sample drafts', undefined],
  ['viewer', 'editor', undefined, 'Only reviewers can merge drafts on this page. You can merge on the review page.'],
  ['editor', 'reviewer', undefined, undefined],
  [
    'viewer',
    'viewer',
    'Only editors can create sample drafts',
    'Only reviewers can merge drafts on this page. You can merge on the review page.',
  ],
] as const)(
  'applies the rules for the account role %s and the organization role %s',
  (role, orgRole, sample, merging) => {
    const user = aUser({ role, orgRole, orgPermissions: ['draft.edit', 'draft.merge'] });
    expect(sampleProblem(user)).toBe(sample);
    expect(mergeProblem(user)).toBe(merging);
  },
);

test('refuses users without the permission, even if they have the role', () => {
  const user = aUser({ role: 'editor', orgRole: 'reviewer', orgPermissions: ['workflow.read'] });
  expect(sampleProblem(user)).toBe('Only editors can create sample drafts');
  expect(mergeProblem(user)).toBe('Only reviewers can merge drafts');
  expect(sampleProblem({ ...user, orgPermissions: ['draft.edit'] })).toBeUndefined();
  expect(mergeProblem({ ...user, orgPermissions: ['draft.merge'] })).toBeUndefined();
});

test('shows the first five changes in a diff and counts the others', () => {
  const detailed: Diff['detailed'] = Array.from({ length: 8 }, (_, n) =>
    n === 0
      ? {
          id: 's0',
          type: 'modified',
          changes: { title: { before: 'a', after: 'b' }, sla: { before: '', after: '1h' } },
        }
      : { id: `s${n}`, type: 'added' },
  );
  const diff: Diff = {
    against: { what: 'base', version: 1, at: null, reviewId: null },
    revision: 1,
    summary: { added: detailed.slice(1).map(({ id }) => id), removed: [], modified: ['s0'] },
    total: 8,
    detailed,
    metadata: {},
  };
  const { counts, lines, more } = diffLines(diff);
  expect(counts).toBe('7 added, 0 removed, 1 modified');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toEqual({ id: 's0', type: 'modified', text: 'title, sla' });
  expect(more).toBe(3);
  expect(diffLines({ ...diff, detailed: detailed.slice(0, 5), total: 5 }).more).toBe(0);
});
