import { describe, expect, it } from 'vitest';
import type { Statement } from '../kernel/database.ts';
import { type Read, distribute, mergeReads } from './merge-reads.ts';

const of = (name: string, params: string[], each: string[] | null): Statement<string, unknown> => ({
  name,
  text: '',
  params,
  list: null,
  each,
  row: null,
});
const lock = of('lock', ['orgId', 'id'], ['id']);
const find = of('find', ['orgId', 'key'], null);

/**
 * Makes reads of several pieces of work. Returns them, and a list that later contains the rows that each read received.
 */
function readsOf(...asked: [Statement<string, unknown>, Record<string, unknown>][]) {
  const rows: unknown[][] = [];
  const reads = asked.map(([s, values], at): Read => ({
    s,
    values,
    resolve: (own) => (rows[at] = own),
    reject: () => {},
  }));
  return { reads, rows };
}
const executed = (reads: readonly Read[]) => mergeReads(reads).map(({ s, values }) => [s.name, values]);

describe('mergeReads', () => {
  it('executes a statement with arrays once for all reads that differ only in these parameters', () => {
    const { reads, rows } = readsOf(
      [lock, { orgId: 'o', id: 'a' }],
      [lock, { orgId: 'o', id: 'b' }],
      [lock, { orgId: 'p', id: 'c' }],
    );
    expect(executed(reads)).toEqual([
      ['lock', { orgId: 'o', id: ['a', 'b'] }],
      ['lock', { orgId: 'p', id: ['c'] }],
    ]);
    const [both, single] = mergeReads(reads);
    if (both) distribute(both, [{ nth: 2, name: 'B' }]);
    if (single) distribute(single, [{ nth: 1, name: 'C' }]);
    expect(rows).toEqual([[], [{ nth: 2, name: 'B' }], [{ nth: 1, name: 'C' }]]);
  });

  it('executes other statements once for the same values, and gives each read its own list of rows', () => {
    const { reads, rows } = readsOf(
      [find, { orgId: 'o', key: 'k' }],
      [find, { orgId: 'o', key: 'k' }],
      [find, { orgId: 'o', key: 'l' }],
    );
    expect(executed(reads)).toEqual([
      ['find', { orgId: 'o', key: 'k' }],
      ['find', { orgId: 'o', key: 'l' }],
    ]);
    for (const execution of mergeReads(reads)) distribute(execution, ['row']);
    expect(rows).toEqual([['row'], ['row'], ['row']]);
    expect(rows[0]).not.toBe(rows[1]);
  });

  it('sends each execution at the position of its first read', () => {
    const { reads } = readsOf(
      [find, { orgId: 'o', key: 'a' }],
      [lock, { orgId: 'o', id: 'a' }],
      [find, { orgId: 'o', key: 'b' }],
      [lock, { orgId: 'o', id: 'b' }],
      [find, { orgId: 'o', key: 'a' }],
    );
    expect(executed(reads)).toEqual([
      ['find', { orgId: 'o', key: 'a' }],
      ['lock', { orgId: 'o', id: ['a', 'b'] }],
      ['find', { orgId: 'o', key: 'b' }],
    ]);
  });
});
