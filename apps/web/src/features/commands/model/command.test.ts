import { Play } from 'lucide-react';
import { expect, test } from 'vitest';
import { type Command, hasWords, matchingCommands } from './command.ts';

const named = (label: string, words?: string): Command => ({
  label,
  icon: Play,
  run: () => {},
  ...(words && { words }),
});

test.each([
  ['Vendor onboarding', 'vend', true],
  ['Vendor onboarding', 'ONBOARD vendor', true],
  ['Vendor onboarding', 'vendor offboarding', false],
  ['Tomás Oliveira', 'tomas', true],
  ['Tomas Oliveira', 'tomás', true],
  ['anything', '', true],
])('hasWords(%j, %j) is %s', (text, typed, expected) => {
  expect(hasWords(text, typed)).toBe(expected);
});

test('ranks commands whose name starts with the text above those found by a synonym', () => {
  const commands = [named('Go to runs', 'executions'), named('Dark theme', 'go night'), named('Log out')];
  expect(matchingCommands(commands, 'go').map(({ label }) => label)).toEqual(['Go to runs', 'Dark theme']);
  expect(matchingCommands(commands, 'night').map(({ label }) => label)).toEqual(['Dark theme']);
  expect(matchingCommands(commands, 'zzz')).toEqual([]);
});
