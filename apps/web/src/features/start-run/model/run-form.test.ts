import { fieldProblems } from '@stet/contract/problem-words';
import { runRoutes } from '@stet/contract/runs';
import { expect, test } from 'vitest';
import { nameSuggestions, nextCounter, runRequest } from './run-form.ts';
import type { RunForm } from './run-form.ts';

const problemOf = (part: Partial<RunForm>): string | undefined => {
  const body = runRequest('vendor', { name: 'Nordlicht', description: '', priority: 'low', ...part });
  return fieldProblems(runRoutes['POST /api/runs'].body, body)[0]?.problem;
};

test.each([
  ['', 'Run name is required'],
  ['   ', 'Run name is required'],
  [' ab ', 'Run name must be at least 3 characters long'],
  ['abc', undefined],
  ['x'.repeat(100), undefined],
  ['x'.repeat(101), 'Run name must be at most 100 characters long'],
])('the problem of the name %j is %j', (name, problem) => {
  expect(problemOf({ name })).toBe(problem);
});

test('allows at most 500 characters in a description', () => {
  expect(problemOf({ description: 'x'.repeat(500) })).toBeUndefined();
  expect(problemOf({ description: 'x'.repeat(501) })).toBe('must have at most 500 characters');
});

test('trims text and omits an empty description', () => {
  expect(runRequest('vendor', { name: ' Nordlicht ', description: '  ', priority: 'high' })).toEqual({
    key: 'vendor',
    name: 'Nordlicht',
    priority: 'high',
  });
  expect(runRequest('vendor', { name: 'abc', description: ' why ', priority: 'low' })).toMatchObject({
    description: 'why',
  });
});

test('suggests names with the short date, a timestamp, a counter and the two environments', () => {
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
  'suggests only valid names for a long title: %s',
  (title) => {
    for (const name of nameSuggestions(title, { now: new Date(), counter: 12 })) {
      expect(problemOf({ name })).toBeUndefined();
      expect(name.isWellFormed()).toBe(true);
    }
  },
);

test('continues the counter of the newest run', () => {
  expect(nextCounter('Vendor onboarding #7')).toBe(8);
  expect(nextCounter('Nordlicht GmbH')).toBe(1);
  expect(nextCounter(null)).toBe(1);
});
