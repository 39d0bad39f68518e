/** A row on the screen, in pixels of the window. */
type RowPlace = { index: number; top: number; bottom: number };

/** Before which row something dropped at `y` goes, from 0: that under it, or the one after where it is past the middle. */
export function dropIndex(rows: readonly RowPlace[], y: number, count: number): number {
  const sorted = rows.toSorted((left, right) => left.index - right.index);
  for (const { index, top, bottom } of sorted) if (y < (top + bottom) / 2) return index;
  const last = sorted.at(-1);
  return last ? Math.min(last.index + 1, count) : count;
}
