/** A row on the screen, in window pixels. */
type RowPlace = { index: number; top: number; bottom: number };

/**
 * The row before which a drop at `y` goes, from 0: the row under the pointer, or the next one if it is past the middle.
 */
export function dropIndex(rows: readonly RowPlace[], y: number, count: number): number {
  const sorted = rows.toSorted((left, right) => left.index - right.index);
  for (const { index, top, bottom } of sorted) if (y < (top + bottom) / 2) return index;
  const last = sorted.at(-1);
  return last ? Math.min(last.index + 1, count) : count;
}
