import { expect, test } from 'vitest';
import { allSuggestions, matchingSuggestions, splitAtMatch } from './assignee-suggestions.ts';

const all = allSuggestions(
  [{ email: 'greta.holm@halden.example' }, { email: 'Lore.Conti@halden.example' }],
  [{ assignee: 'Reviewer' }, { assignee: 'greta.holm@HALDEN.example' }, { assignee: ' ' }],
);

test('each is offered once, the most used first, with its tag', () => {
  expect(all).toEqual([
    { value: 'Reviewer', tag: 'role' },
    { value: 'greta.holm@HALDEN.example', tag: 'email' },
    { value: 'Lore.Conti@halden.example', tag: 'email' },
    { value: 'admin', tag: 'role' },
    { value: 'editor', tag: 'role' },
    { value: 'system', tag: 'role' },
    { value: 'auto', tag: 'role' },
    { value: 'Unassigned', tag: 'role' },
  ]);
});

test('part of the text in any case matches, prefixes first', () => {
  expect(matchingSuggestions(all, 'RE').map(({ value }) => value)).toEqual([
    'Reviewer',
    'greta.holm@HALDEN.example',
    'Lore.Conti@halden.example',
  ]);
  expect(matchingSuggestions(all, 'nobody')).toEqual([]);
});

test('the typed part can be marked', () => {
  expect(splitAtMatch('greta.holm', 'RE')).toEqual(['g', 're', 'ta.holm']);
  expect(splitAtMatch('greta.holm', '')).toEqual(['greta.holm', '', '']);
});
