import { layOutChains } from './chains.ts';
import { layOutByDagre } from './dagre-layout.ts';
import { fitted, loopOf } from './joints.ts';
import type { Box, Direction, Layout, Line, PlacedLine } from './placing.ts';
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
  const loops = new Set(drawn.filter(({ from, to }) => from === to));
  const onward = drawn.filter((line) => !loops.has(line));
  const layout = layOutChains(boxes, onward, direction, (groups, between) =>
    between.length > libraryLines
      ? layOutInRows(groups, between, direction)
      : layOutByDagre(groups, between, direction),
  );
  if (loops.size === 0) return fitted(layout);
  const placed = new Map(layout.boxes.map((box) => [box.id, box]));
  const led = new Map(layout.lines.map((entry) => [entry.line, entry]));
  const all = drawn.flatMap((line): PlacedLine<L>[] => {
    const entry = led.get(line);
    if (entry) return [entry];
    const box = placed.get(line.from);
    if (!box) return [];
    const points = loopOf(box, direction);
    const [, out, back] = points;
    const labelAt = line.label && out && back ? { x: (out.x + back.x) / 2, y: (out.y + back.y) / 2 } : null;
    return [{ line, points, labelAt }];
  });
  return fitted({ ...layout, lines: all });
}
