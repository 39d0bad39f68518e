/** The position of a rendered row, in pixels from the top of the window. */
type RowPlace = { index: number; top: number; bottom: number };

/**
 * A drop at `y` inserts before the row with this index: the row under the pointer, or the next one if the pointer is
 * below the row's middle.
 */
export function dropIndex(rows: readonly RowPlace[], y: number, count: number): number {
  const sorted = rows.toSorted((left, right) => left.index - right.index);
  for (const { index, top, bottom } of sorted) if (y < (top + bottom) / 2) return index;
  const last = sorted.at(-1);
  return last ? Math.min(last.index + 1, count) : count;
}
