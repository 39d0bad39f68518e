import { expect, test } from 'vitest';
import type { WorkflowSummary } from '@stet/contract';
import { pickerCards, searchCards } from './picker-cards.ts';
import { aSummary, aVersion } from '../testing/workflows.ts';

const cards = (...workflows: Partial<WorkflowSummary>[]) => pickerCards(workflows.map(aSummary));

test('shows the title, or the key if there is none', () => {
  expect(cards({ key: 'k', metadata: { title: ' ', description: '' } })[0]?.title).toBe('k');
});

test('archived workflows are not offered', () => {
  expect(cards({ status: 'archived' })).toEqual([]);
});

test('Edit prefers a draft in progress over one in review', () => {
  const versions = [
    aVersion({ id: 'r', status: 'in_review' }),
    aVersion({ id: 'd', status: 'draft' }),
    aVersion({ id: 'l', status: 'live', version: 7 }),
  ];
  expect(cards({ versions })[0]?.draft).toEqual({ id: 'd', status: 'draft' });
  expect(cards({ versions: versions.slice(2) })[0]?.draft).toBeNull();
});

test.each(['VENDOR', 'supply', 'First req'])('the search finds %s in key, title or description', (typed) => {
  const found = cards(
    { key: 'vendor', metadata: { title: 'Supply', description: 'From first request on' } },
    { key: 'other', metadata: { title: 'Incident response', description: '' } },
  );
  expect(searchCards(found, typed).map(({ key }) => key)).toEqual(['vendor']);
});
