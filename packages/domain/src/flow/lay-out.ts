import { layOutChains } from './chains.ts';
import { layOutByDagre } from './dagre-layout.ts';
import type { Box, Direction, Layout, Line } from './placing.ts';
import { layOutInRows } from './row-layout.ts';

/** Lines past which the library takes seconds; then boxes stand in plain rows, joined by straight lines. */
const LIBRARY_LINES = 250;

/**
 * Places boxes such that lines lead on, side by side where they part. Boxes and lines come back in the order they were
 * given; a line whose box isn't there is left out. The same input gives the same picture. Any graph is placed, cycles too,
 * in at most about a second; `libraryLines` says up to how many lines between chains the library is asked.
 */
export function layOut<L extends Line>(
  boxes: readonly Box[],
  lines: readonly L[],
  direction: Direction,
  libraryLines = LIBRARY_LINES,
): Layout<L> {
  const known = new Set(boxes.map(({ id }) => id));
  const drawn = lines.filter(({ from, to }) => known.has(from) && known.has(to));
  return layOutChains(boxes, drawn, direction, (groups, between) =>
    between.length > libraryLines
      ? layOutInRows(groups, between, direction)
      : layOutByDagre(groups, between, direction),
  );
}
