import { afterEach, expect, test } from 'vitest';
import { VIEW_LIMITS, readViews, withView, writeViews } from './saved-views.ts';

const KEY = 'stet_run_views.test';
afterEach(() => localStorage.clear());

test('views are read as they were stored, without unknown filters', () => {
  writeViews(KEY, [{ name: 'Late', query: 'status=running&sla=breached&colour=red' }]);
  expect(readViews(KEY)).toEqual([{ name: 'Late', query: 'status=running&sla=breached' }]);
  writeViews(KEY, []);
  expect(localStorage.getItem(KEY)).toBeNull();
});

test.each(['no JSON', '{}', 'null', '[1, null, {"name": "Late"}, {"name": " ", "query": ""}]'])(
  'stored content that isn’t a list, and entries that aren’t views, are ignored: %s',
  (stored) => {
    localStorage.setItem(KEY, stored);
    expect(readViews(KEY)).toEqual([]);
  },
);

test('a view replaces the one with its name, and at most a limited number is read', () => {
  const late = { name: 'Late', query: 'sla=breached' };
  expect(withView([late, { name: 'Mine', query: '' }], { name: 'Late', query: 'sla=at_risk' })).toEqual([
    { name: 'Late', query: 'sla=at_risk' },
    { name: 'Mine', query: '' },
  ]);
  writeViews(
    KEY,
    Array.from({ length: VIEW_LIMITS.views + 5 }, (_, at) => ({ name: `View ${at}`, query: '' })),
  );
  expect(readViews(KEY)).toHaveLength(VIEW_LIMITS.views);
});
