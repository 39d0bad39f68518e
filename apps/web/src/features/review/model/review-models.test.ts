import type { Review } from '@stet/contract';
import { fieldChanges, fieldValues, metadataChanges } from '@stet/presentation/change-words';
import { impactLines } from '@stet/presentation/impact-words';
import { describe, expect, test } from 'vitest';
import { ELLEN, JONAS, PRIYA, STEPS, aComment, aDiff, aDraftInReview, aReview, anImpact } from '../testing/review.ts';
import { changeList } from './listed-changes.ts';
import type { ChangeBlock } from './listed-changes.ts';
import { compareOptions } from './compare-options.ts';
import { becauseWords, reviewersOf } from './reviewers.ts';
import { draftDiscussion, threadsOf } from './threads.ts';

const titleOf = (id: string) => STEPS.find((step) => step.id === id)?.title ?? id;
const nothing = new Set<string>();

const inWords = (block: ChangeBlock): string => {
  switch (block.kind) {
    case 'change':
      return `${block.number ?? '-'} ${block.entry.type} ${block.title}`;
    case 'spoken_of':
      return `${block.number} spoken of ${block.step.title}`;
    case 'unchanged':
      return `(${block.steps.map(({ number, step }) => `${number} ${step.title}`).join(', ')})`;
  }
};

describe('the list of changes', () => {
  test('has the steps in document order and folds unchanged ones', () => {
    const { blocks, more, unchanged } = changeList(aDiff(), STEPS, nothing);
    expect(blocks.map(inWords)).toEqual([
      '(1 Register the request)',
      '2 modified Assess risk tier',
      '(3 Sign the contract)',
      '- removed Print the contract',
      '4 added Confirm the agreement',
    ]);
    expect({ more, unchanged }).toEqual({ more: 0, unchanged: 2 });
  });

  test('doesn’t fold steps with open comments', () => {
    const { blocks } = changeList(aDiff(), STEPS, new Set(['sign', 'assess']));
    expect(blocks.map(inWords)[2]).toBe('3 spoken of Sign the contract');
  });

  test('stops at the last change that has details and counts the remaining ones', () => {
    const diff = aDiff();
    const { blocks, more, unchanged } = changeList({ ...diff, detailed: diff.detailed.slice(0, 1) }, STEPS, nothing);
    expect(blocks.map(inWords)).toEqual(['(1 Register the request)', '2 modified Assess risk tier']);
    expect({ more, unchanged }).toEqual({ more: 2, unchanged: 2 });
  });

  test('starts with the steps that were removed from the beginning', () => {
    const [, removed] = aDiff().detailed;
    if (!removed) throw new Error('no removed entry');
    const diff = aDiff({
      summary: { added: [], removed: ['print'], modified: [] },
      total: 1,
      detailed: [{ ...removed, behind: null }],
    });
    expect(changeList(diff, STEPS.slice(0, 1), nothing).blocks.map(inWords)).toEqual([
      '- removed Print the contract',
      '(1 Register the request)',
    ]);
  });
});

describe('the lines of a change', () => {
  const changed = (changes: Record<string, { before: unknown; after: unknown }>) =>
    fieldChanges({ id: 'x', type: 'modified', changes }, titleOf).map(({ label, before, after }) => [
      label,
      before,
      after,
    ]);

  test('use the editor’s labels and include every setting', () => {
    expect(fieldChanges(aDiff().detailed[0] ?? { id: '', type: 'added' }, titleOf)).toMatchObject([
      { label: 'SLA', before: '1 day', after: '1 day 4 hours', form: 'text' },
      { label: 'Role', before: 'editor', after: 'reviewer', form: 'whole' },
      { label: 'Needs approval', before: 'no', after: 'yes' },
    ]);
  });

  test('show step titles, individual list entries and the names of unknown settings', () => {
    expect(
      changed({
        next: { before: ['assess', 'gone'], after: [] },
        config: {
          before: { channels: ['email'], onReject: 'register', odd: { a: 1 } },
          after: { channels: ['email', 'slack'], onReject: 'assess', odd: { a: 2 } },
        },
      }),
    ).toEqual([
      ['Leads to', 'Assess risk tier\ngone', 'the end of the run'],
      ['Channels', 'email', 'email, slack'],
      ['Returns to', 'Register the request', 'Assess risk tier'],
      ['odd', 'a: 1', 'a: 2'],
    ]);
  });

  test('show the content of a new step without empty fields, and a changed name', () => {
    const value = { ...STEPS[0], assignee: '', sla: '4h', description: 'File it.', next: ['assess'], config: {} };
    expect(fieldValues({ id: 'x', type: 'added', value }, titleOf).map(({ label, text }) => [label, text])).toEqual([
      ['Type', 'manual'],
      ['SLA', '4h'],
      ['Task', 'File it.'],
      ['Leads to', 'Assess risk tier'],
    ]);
    expect(metadataChanges({ title: { before: 'A', after: 'B' } })).toMatchObject([
      { label: 'Name', before: 'A', after: 'B' },
    ]);
  });
});

test('lists requests for changes, other reviews, people who haven’t reviewed yet, and those who can’t approve yet', () => {
  const reviews: Review[] = [
    aReview({ reviewer: PRIYA, standing: 'not_counted' }),
    aReview({ verdict: 'changes_requested', standing: 'replaced', at: '2026-11-18T11:00:00.000Z' }),
    aReview({ standing: 'dismissed' }),
    aReview({ reviewer: JONAS, verdict: 'changes_requested' }),
  ];
  const mara = { ...ELLEN, id: '0199aaaa-0000-7000-8000-000000000009', name: 'Mara Lindqvist' };
  const ines = { ...ELLEN, id: '0199aaaa-0000-7000-8000-00000000000f', name: 'Ines Costa' };
  const notCounted = [
    { ...ines, because: 'behind_the_author' as const, from: null },
    { ...PRIYA, because: 'address_not_proved' as const, from: null },
  ];
  expect(
    reviewersOf({ reviews, reviewers: [ELLEN, JONAS, mara], notCounted }).map(
      ({ name, stance, notCounted: why }) => `${name}: ${stance}${why ? `, ${becauseWords(why)}` : ''}`,
    ),
  ).toEqual([
    'Jonas Weber: changes_requested',
    'Ellen Park: dismissed',
    'Priya Nair: not_counted, Address not proved',
    'Mara Lindqvist: none',
    'Ines Costa: not_yet, An author’s actions also count as theirs',
  ]);
});

describe('the impact in words', () => {
  const lines = (change: Parameters<typeof anImpact>[0] = {}) =>
    Object.fromEntries(
      impactLines(anImpact(change), titleOf).map(({ label, value, details }) => [label, [value, ...details]]),
    );

  test('has a line with details for each kind of change', () => {
    expect(lines()).toEqual({
      'Controls lost or weakened': [
        '1',
        'Print the contract is no longer an approval of this workflow: it needed 2 approvers',
      ],
      'Workflows changed': ['1'],
      'Steps changed': ['3 of 5'],
      'Integrations touched': ['Slack', 'Slack added: Confirm the agreement'],
      'SLA impact': ['1 hour shorter', '1 day 1 hour before, 1 day after'],
      'Roles removed': ['1', 'admin: print'],
      'Open runs': ['3 stay on v7'],
    });
  });

  test('omits lost controls and removed roles if there are none', () => {
    const none = lines({ integrations: [], rolesRemoved: [], controlLosses: [], openRuns: [] });
    expect(none).toMatchObject({ 'Integrations touched': ['None'], 'Open runs': ['None'] });
    expect(Object.keys(none)).not.toContain('Roles removed');
    expect(Object.keys(none)).not.toContain('Controls lost or weakened');
  });

  test.each([
    [null, 3_600_000, 'New SLA'],
    [3_600_000, null, 'SLA removed'],
    [3_600_000, 3_600_000, 'Unchanged'],
    [3_600_000, 7_200_000, '1 hour longer'],
  ])('describes a total SLA of %s ms that becomes %s ms as “%s”', (beforeMs, afterMs, value) => {
    expect(lines({ sla: { beforeMs, afterMs, loosened: [] } })['SLA impact']?.[0]).toBe(value);
  });
});

test('assigns comments to steps, even removed ones, or to the draft, and sorts the draft’s discussion by time', () => {
  const [open, gone, whole, resolved] = [
    aComment(),
    aComment({ stepId: 'vanished' }),
    aComment({ stepId: null }),
    aComment({ stepId: 'print', resolvedAt: '2026-11-18T12:00:00.000Z', resolvedBy: PRIYA }),
  ];
  const comments = [open, gone, whole, resolved];
  const threads = threadsOf({ comments, steps: [...STEPS] }, ['print']);
  expect([...threads.byStep.keys()]).toEqual(['assess', 'print']);
  expect(threads.general).toEqual([gone, whole]);
  expect(threads.open).toBe(3);
  const review = aReview({ at: '2026-11-18T10:00:00.000Z' });
  expect(draftDiscussion([whole], [review]).map(({ kind }) => kind)).toEqual(['review', 'comment']);
});

test('offers to compare a draft with the version that it replaces, and with what the reader last approved and reviewed', () => {
  const labels = (own: { approvedAt: string | null; reviewedAt: string | null }) =>
    compareOptions({ ...aDraftInReview(), own }).map(({ label }) => label);
  const [early, late] = ['2026-11-18T10:00:00.000Z', '2026-11-18T11:00:00.000Z'];
  expect(labels({ approvedAt: null, reviewedAt: null })).toEqual(['All changes']);
  expect(labels({ approvedAt: early, reviewedAt: early })).toEqual(['All changes', 'Since your approval']);
  expect(labels({ approvedAt: early, reviewedAt: late })).toEqual([
    'All changes',
    'Since your approval',
    'Since your review',
  ]);
  expect(compareOptions(aDraftInReview({ merged: { by: ELLEN, at: late } }))[0]?.value).toBe('base');
  expect(compareOptions(aDraftInReview({ baseVersion: 1, liveVersion: 2 }))).toEqual([
    { value: 'base', label: 'Since v1 (draft’s start)' },
    { value: 'live', label: 'Against v2 (live)' },
  ]);
});
