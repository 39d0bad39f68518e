import { expect, test } from 'vitest';
import { descriptionProblem, nameProblem, nameSuggestions, nextCounter, runRequest } from './run-form.ts';

test.each([
  ['', 'Run name is required'],
  ['   ', 'Run name is required'],
  [' ab ', 'Run name must be at least 3 characters long'],
  ['abc', null],
  ['x'.repeat(100), null],
  ['x'.repeat(101), 'Run name must be at most 100 characters long'],
])('the name %j', (name, problem) => {
  expect(nameProblem(name)).toBe(problem);
});

test('a description has at most 500 characters', () => {
  expect(descriptionProblem('x'.repeat(500))).toBeNull();
  expect(descriptionProblem('x'.repeat(501))).toBe('Description must be at most 500 characters long');
});

test('texts are sent trimmed, an empty description not at all', () => {
  expect(runRequest('vendor', { name: ' Nordlicht ', description: '  ', priority: 'high' })).toEqual({
    key: 'vendor',
    name: 'Nordlicht',
    priority: 'high',
  });
  expect(runRequest('vendor', { name: 'abc', description: ' why ', priority: 'low' })).toMatchObject({
    description: 'why',
  });
});

test('suggestions have the short date, a timestamp, a counter, and the two environments', () => {
  const now = new Date(2026, 10, 21, 9, 5);
  expect(nameSuggestions('Vendor onboarding', { now, counter: 8 })).toEqual([
    'Vendor onboarding - 21 Nov 2026',
    'Vendor onboarding - 2026-11-21 09:05',
    'Vendor onboarding #8',
    'Vendor onboarding - Production',
    'Vendor onboarding - Testing',
  ]);
});

test.each(['t'.repeat(200), '🚀'.repeat(100), `t${'🚀'.repeat(99)}`])(
  'a suggestion of a long title is a name that may be used: %s',
  (title) => {
    for (const name of nameSuggestions(title, { now: new Date(), counter: 12 })) {
      expect(nameProblem(name)).toBeNull();
      expect(name.isWellFormed()).toBe(true);
    }
  },
);

test('the counter goes on from the newest run that has one', () => {
  expect(nextCounter('Vendor onboarding #7')).toBe(8);
  expect(nextCounter('Nordlicht GmbH')).toBe(1);
  expect(nextCounter(null)).toBe(1);
});
