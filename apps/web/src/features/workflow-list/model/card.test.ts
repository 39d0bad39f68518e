import type { WorkflowSummary } from '@stet/contract';
import { describe, expect, test } from 'vitest';
import { cardActions, cardOf } from './card.ts';
import { NO_FILTER, isNarrowed, readListFilter, writeListFilter } from './list-filter.ts';

const PERSON = { id: '0199aaaa-0000-7000-8000-000000000001', name: 'Priya Nair', email: 'p@example.com' };
const version = (id: string, status: WorkflowSummary['versions'][number]['status']) =>
  ({ id, status }) as WorkflowSummary['versions'][number];
const workflow = (change: Partial<WorkflowSummary> = {}): WorkflowSummary => ({
  key: 'vendor',
  metadata: { title: 'Vendor', description: '' },
  status: 'live',
  version: { number: 7, id: 'v7' },
  versions: [version('review', 'in_review'), version('draft', 'draft'), version('v7', 'live')],
  stepsCount: 9,
  tags: [],
  owner: PERSON,
  creator: PERSON,
  updatedAt: '2026-11-18T09:00:00.000Z',
  ...change,
});
const EVERYTHING = { edit: true, run: true, archive: true, archiveUnmerged: true };
const EDITOR = { ...EVERYTHING, archive: false };
const NEVER_LIVE = cardOf(workflow({ status: 'draft', version: null, versions: [], stepsCount: 1 }));

describe('a card', () => {
  test('contains the number of steps, the version, the title or key, and the draft that Edit opens', () => {
    expect(cardOf(workflow())).toMatchObject({ steps: '9 steps', version: 'v7', draftId: 'draft', wasLive: true });
    expect(cardOf(workflow({ versions: [version('review', 'in_review')] })).draftId).toBe('review');
    expect(NEVER_LIVE).toMatchObject({ steps: '1 step', version: 'no version yet', draftId: null });
    expect(cardOf(workflow({ metadata: { title: ' ', description: '' } })).title).toBe('vendor');
  });

  test.each([
    ['everything, live', cardOf(workflow()), EVERYTHING, {}],
    ['an editor, live', cardOf(workflow()), EDITOR, { delete: /owners and admins/ }],
    ['an editor, never live', NEVER_LIVE, EDITOR, { run: /Nothing is live yet/ }],
    [
      'archived',
      cardOf(workflow({ status: 'archived' })),
      EVERYTHING,
      { edit: /^Archived workflows/, run: /^Archived workflows/, delete: /archived/ },
    ],
  ])('gives a reason for each unavailable action: %s', (_, card, rights, refused: Record<string, RegExp>) => {
    for (const [action, state] of Object.entries(cardActions(card, rights))) {
      if (state === 'hidden') throw new Error(`${action} is hidden`);
      const expected = refused[action];
      if (expected) expect(state.refused).toMatch(expected);
      else expect(state.refused).toBeNull();
    }
  });

  test('lets a viewer only view the workflow', () => {
    const none = { edit: false, run: false, archive: false, archiveUnmerged: false };
    expect(new Set(Object.values(cardActions(cardOf(workflow()), none)))).toEqual(new Set(['hidden']));
  });
});

test('the address contains the filter without its defaults, and can be read back', () => {
  for (const filter of [NO_FILTER, { q: 'a b&c', status: 'in_review', tag: 'eu customers', sort: 'title' }] as const) {
    expect(readListFilter(writeListFilter(filter))).toEqual(filter);
  }
  expect(writeListFilter(NO_FILTER).toString()).toBe('');
  expect(readListFilter(new URLSearchParams('status=nonsense'))).toEqual(NO_FILTER);
  expect(isNarrowed(NO_FILTER)).toBe(false);
  expect(isNarrowed({ ...NO_FILTER, status: 'live' })).toBe(true);
  expect(isNarrowed({ ...NO_FILTER, tag: 'eu' })).toBe(true);
});
