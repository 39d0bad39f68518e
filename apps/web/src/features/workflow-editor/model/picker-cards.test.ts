import { expect, test } from 'vitest';
import type { WorkflowSummary } from '@stet/contract';
import { pickerCards, searchCards } from './picker-cards.ts';
import { aSummary, aVersion } from '../testing/workflows.ts';

const cards = (...workflows: Partial<WorkflowSummary>[]) => pickerCards(workflows.map(aSummary));

test('shows the key if the title is blank', () => {
  expect(cards({ key: 'k', metadata: { title: ' ', description: '' } })[0]?.title).toBe('k');
});

test('doesn’t offer archived workflows', () => {
  expect(cards({ status: 'archived' })).toEqual([]);
});

test('Edit opens a draft in progress rather than one in review', () => {
  const versions = [
    aVersion({ id: 'r', status: 'in_review' }),
    aVersion({ id: 'd', status: 'draft' }),
    aVersion({ id: 'l', status: 'live', version: 7 }),
  ];
  expect(cards({ versions })[0]?.draft?.id).toBe('d');
  expect(cards({ versions: versions.slice(2) })[0]?.draft).toBeNull();
});

test.each(['VENDOR', 'supply', 'First req'])('finds %s in the key, title or description', (typed) => {
  const found = cards(
    { key: 'vendor', metadata: { title: 'Supply', description: 'From first request on' } },
    { key: 'other', metadata: { title: 'Incident response', description: '' } },
  );
  expect(searchCards(found, typed).map(({ key }) => key)).toEqual(['vendor']);
});
