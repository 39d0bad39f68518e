import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Statement, Write } from '../kernel/database.ts';
import { mergeWrites } from './merge-writes.ts';

const of = (name: string, list: string | null): Statement<string, unknown> => ({
  name,
  text: '',
  params: [],
  list,
  each: null,
  row: null,
});
const save = of('save', 'rows');
const append = of('append', 'rows');
const note = of('note', null);

describe('mergeWrites', () => {
  it('combines the lists of all pieces, in their order', () => {
    const piece = (id: number): Write[] => [
      [save, { orgId: 'o', rows: [id] }],
      [append, { rows: [id, id + 0.5] }],
    ];
    expect(mergeWrites([piece(1), piece(2), piece(3)])).toEqual([
      [save, { orgId: 'o', rows: [1, 2, 3] }],
      [append, { rows: [1, 1.5, 2, 2.5, 3, 3.5] }],
    ]);
  });

  it('combines a statement even if only some pieces of work have other writes before it', () => {
    const merged = mergeWrites([
      [[append, { rows: [1] }]],
      [
        [save, { rows: [2] }],
        [append, { rows: [2] }],
      ],
    ]);
    expect(merged).toEqual([
      [save, { rows: [2] }],
      [append, { rows: [1, 2] }],
    ]);
  });

  it('doesn’t combine executions with other values, or of a statement without a list', () => {
    const merged = mergeWrites([
      [
        [save, { orgId: 'o', rows: [1] }],
        [note, { id: 1 }],
      ],
      [
        [save, { orgId: 'p', rows: [2] }],
        [note, { id: 1 }],
      ],
    ]);
    expect(merged).toEqual([
      [save, { orgId: 'o', rows: [1] }],
      [save, { orgId: 'p', rows: [2] }],
      [note, { id: 1 }],
      [note, { id: 1 }],
    ]);
  });

  it('loses nothing, and preserves the order of each piece of work', () => {
    const statements = [save, append, note];
    const pieces = fc.array(fc.array(fc.nat(2), { maxLength: 6 }), { maxLength: 5 });
    fc.assert(
      fc.property(pieces, (numbers) => {
        const given = numbers.map((piece, at) =>
          piece.map((n, place): Write => [statements[n] ?? note, { rows: [`${at}:${place}`] }]),
        );
        const order = mergeWrites(given).flatMap(([s, { rows }]) =>
          (rows as string[]).map((row) => `${s.name} ${row}`),
        );
        const wanted = given.map((piece) => piece.map(([s, { rows }]) => `${s.name} ${(rows as string[])[0]}`));
        expect(order.toSorted()).toEqual(wanted.flat().toSorted());
        for (const [at, piece] of wanted.entries())
          expect(order.filter((row) => row.includes(` ${at}:`))).toEqual(piece);
      }),
    );
  });
});
