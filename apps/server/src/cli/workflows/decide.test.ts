import type { VersionRecord } from '@stet/contract';
import { describe, expect, it } from 'vitest';
import { decidePull } from './decide-pull.ts';
import { conflictInWords, decidePush } from './decide-push.ts';
import type { Base } from './folder-state.ts';
import type { Remote } from './remote.ts';

const base = (change: Partial<Base> = {}): Base => ({
  versionId: 'v1',
  version: 1,
  contentHash: 'one',
  draft: null,
  ...change,
});
const draft = (id: string, contentHash: string, revision = 1, status = 'draft') =>
  ({ id, contentHash, revision, status }) as VersionRecord;
const remote = (live: [id: string, number: number, hash: string] | null, ...drafts: VersionRecord[]): Remote => ({
  key: 'hiring',
  title: 'Hiring',
  metadata: { title: 'Hiring', description: '' },
  live: live && { id: live[0], number: live[1], hash: live[2] },
  drafts,
});

describe('pulling a file', () => {
  it.each([
    ['the file doesn’t exist', null, undefined, 'one', 'new'],
    ["the file has the server's content", 'one', undefined, 'one', 'same'],
    ['both changed to the same content', 'two', base(), 'two', 'same'],
    ['only the server has changed', 'one', base(), 'two', 'updated'],
    ['only the file was edited', 'edit', base(), 'one', 'edited'],
    ['both changed', 'edit', base(), 'two', 'conflict'],
    ['the file was never pulled and differs', 'edit', undefined, 'one', 'conflict'],
    ['the file can’t be read and the server has not changed', 'unreadable', base(), 'one', 'edited'],
    ['the file can’t be read and the server has changed', 'unreadable', base(), 'two', 'conflict'],
  ] as const)('returns $4 if %s', (_, local, from, now, decision) => {
    expect(decidePull(local, from, now)).toBe(decision);
  });
});

describe('pushing a file', () => {
  const own = { id: 'd1', revision: 2, contentHash: 'edit' };
  const live = remote(['v1', 1, 'one']);
  it.each([
    ['a new workflow', 'edit', undefined, undefined, { do: 'create' }],
    ['the content that was pulled', 'one', base(), live, { do: 'nothing', because: 'live' }],
    [
      'content that went live in the meantime',
      'two',
      base(),
      remote(['v2', 2, 'two']),
      { do: 'nothing', because: 'live' },
    ],
    [
      'no edit after a different version went live',
      'one',
      base(),
      remote(['v2', 2, 'two']),
      { do: 'nothing', because: 'not_edited' },
    ],
    ['an edit', 'edit', base(), live, { do: 'create' }],
    [
      'an edit that a draft already has',
      'edit',
      base(),
      remote(['v1', 1, 'one'], draft('d9', 'edit')),
      { do: 'keep', draftId: 'd9', own: false },
    ],
    [
      'the same content again while it is in review',
      'edit',
      base({ draft: own }),
      remote(['v1', 1, 'one'], draft('d1', 'edit', 2, 'in_review')),
      { do: 'keep', draftId: 'd1', submitted: true, own: true },
    ],
    [
      'a further edit',
      'more',
      base({ draft: own }),
      remote(['v1', 1, 'one'], draft('d1', 'edit', 2)),
      { do: 'save', draftId: 'd1', revision: 2 },
    ],
    [
      'another edit of a draft that someone else changed',
      'more',
      base({ draft: own }),
      remote(['v1', 1, 'one'], draft('d1', 'theirs', 3)),
      { do: 'refuse', conflict: { why: 'draft_changed', draftId: 'd1' } },
    ],
    ['another edit after the draft was discarded', 'more', base({ draft: own }), live, { do: 'create' }],
    [
      'another edit after the draft went live',
      'more',
      base({ draft: own }),
      remote(['d1', 2, 'edit']),
      { do: 'create' },
    ],
    [
      'another edit after the draft went live with someone else’s changes',
      'more',
      base({ draft: own }),
      remote(['d1', 2, 'theirs']),
      { do: 'refuse', conflict: { why: 'moved', from: 1, to: 2 } },
    ],
    [
      'an edit after a different version went live',
      'edit',
      base(),
      remote(['v2', 2, 'two']),
      { do: 'refuse', conflict: { why: 'moved', from: 1, to: 2 } },
    ],
    [
      'an edit after a rollback',
      'edit',
      base({ versionId: 'v2', version: 2, contentHash: 'two' }),
      live,
      { do: 'refuse', conflict: { why: 'moved', from: 2, to: 1 } },
    ],
    [
      'a file that was never pulled, for a live workflow',
      'edit',
      undefined,
      live,
      { do: 'refuse', conflict: { why: 'not_pulled' } },
    ],
    [
      'a file that was never pulled, for a workflow that is not live',
      'edit',
      undefined,
      remote(null, draft('d1', 'x')),
      { do: 'create' },
    ],
    [
      'an edit of a pulled draft',
      'edit',
      base({ versionId: 'd1', version: null }),
      remote(null, draft('d1', 'one')),
      { do: 'create' },
    ],
    [
      'an edit of a pulled draft that has changed',
      'edit',
      base({ versionId: 'd1', version: null }),
      remote(null, draft('d1', 'two', 2)),
      { do: 'refuse', conflict: { why: 'draft_changed', draftId: 'd1' } },
    ],
    ['a workflow that was archived', 'edit', base(), undefined, { do: 'refuse', conflict: { why: 'gone' } }],
  ] as const)('decides $4 for %s', (_, local, from, now, decision) => {
    const decided = decidePush(local, from, now);
    expect(decided).toMatchObject(decision);
    if (decided.do === 'refuse') expect(conflictInWords(decided.conflict)).toMatch(/\w{4}/);
  });
});
