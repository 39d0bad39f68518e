import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inDocumentOrder, movedIds, removedBehind } from './steps-order.ts';

const items = (ids: readonly string[]) => ids.map((id) => ({ id }));
const subsets = (ids: readonly string[]) =>
  ids.reduce<string[][]>((known, id) => [...known, ...known.map((set) => [...set, id])], [[]]);

describe('movedIds', () => {
  it('is empty if steps were only added and removed', () => {
    expect(movedIds(items(['a', 'b', 'c']), items(['b', 'x']))).toEqual(new Set());
  });

  it('returns the fewest steps that explain the new order', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    fc.assert(
      fc.property(fc.shuffledSubarray(ids), fc.shuffledSubarray(ids), (before, after) => {
        const common = before.filter((id) => after.includes(id));
        const without = (list: string[], left: readonly string[]) =>
          list.filter((id) => common.includes(id) && !left.includes(id));
        const explains = (left: readonly string[]) => String(without(before, left)) === String(without(after, left));
        const fewest = Math.min(
          ...subsets(common)
            .filter(explains)
            .map((left) => left.length),
        );
        const moved = [...movedIds(items(before), items(after))];
        expect(explains(moved)).toBe(true);
        expect(moved).toHaveLength(fewest);
      }),
    );
  });
});

describe('document order', () => {
  it('has every item once, in the order of the later list', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    fc.assert(
      fc.property(fc.shuffledSubarray(ids), fc.shuffledSubarray(ids), (before, after) => {
        const merged = inDocumentOrder(items(before), items(after)).map(({ id }) => id);
        expect(merged.toSorted()).toEqual([...new Set([...before, ...after])].toSorted());
        expect(merged.filter((id) => after.includes(id))).toEqual(after);
      }),
    );
  });

  it('can be rebuilt from each removed item’s predecessor', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    fc.assert(
      fc.property(fc.shuffledSubarray(ids), fc.shuffledSubarray(ids), (before, after) => {
        const behind = [...removedBehind(items(before), items(after))];
        const removed = (anchor: string | null) => behind.filter(([, at]) => at === anchor).map(([id]) => id);
        expect([...removed(null), ...after.flatMap((id) => [id, ...removed(id)])]).toEqual(
          inDocumentOrder(items(before), items(after)).map(({ id }) => id),
        );
      }),
    );
  });
});
