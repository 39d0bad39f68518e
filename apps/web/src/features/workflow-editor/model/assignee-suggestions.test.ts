import { expect, test } from 'vitest';
import { allSuggestions, matchingSuggestions, splitAtMatch } from './assignee-suggestions.ts';

const all = allSuggestions(
  [
    { email: 'greta.holm@halden.example', name: 'Greta Holm' },
    { email: 'Lore.Conti@halden.example', name: 'Lorella Conti' },
  ],
  [{ assignee: 'Reviewer' }, { assignee: 'greta.holm@HALDEN.example' }, { assignee: ' ' }],
  [{ slug: 'finance', name: 'Money' }],
);

test('lists each suggestion once with its tag, the most used first', () => {
  expect(all).toEqual([
    { value: 'Reviewer', tag: 'role' },
    { value: 'greta.holm@HALDEN.example', tag: 'email', name: 'Greta Holm' },
    { value: 'group:finance', tag: 'group', name: 'Money' },
    { value: 'Lore.Conti@halden.example', tag: 'email', name: 'Lorella Conti' },
    { value: 'admin', tag: 'role' },
    { value: 'editor', tag: 'role' },
    { value: 'starter', tag: 'role', name: 'Run starter' },
    { value: 'system', tag: 'role' },
    { value: 'auto', tag: 'role' },
    { value: 'Unassigned', tag: 'role' },
  ]);
});

test('finds the typed text anywhere in an address, name or role, ignoring case', () => {
  expect(matchingSuggestions(all, 'RE').map(({ value }) => value)).toEqual([
    'Reviewer',
    'greta.holm@HALDEN.example',
    'Lore.Conti@halden.example',
  ]);
  expect(matchingSuggestions(all, 'money').map(({ value }) => value)).toEqual(['group:finance']);
  expect(matchingSuggestions(all, 'lorella').map(({ value }) => value)).toEqual(['Lore.Conti@halden.example']);
  expect(matchingSuggestions(all, 'nobody')).toEqual([]);
});

test('splits a suggestion at the typed text for highlighting', () => {
  expect(splitAtMatch('greta.holm', 'RE')).toEqual(['g', 're', 'ta.holm']);
  expect(splitAtMatch('greta.holm', '')).toEqual(['greta.holm', '', '']);
});
