import { layOutChains } from './chains.ts';
import { layOutByDagre } from './dagre-layout.ts';
import { fitted, loopOf } from './joints.ts';
import type { Box, Direction, Layout, Line, PlacedLine } from './geometry.ts';
import { layOutInRows } from './row-layout.ts';

/** With more lines, the library takes seconds, so boxes are placed in plain rows with straight lines. */
const LIBRARY_LINES = 250;

/**
 * Places boxes in flow direction, branches side by side. Boxes and lines keep their input order; a line with a missing
 * box is omitted. The same input gives the same diagram. Any graph can be placed, even with cycles, in about a second
 * at most. `libraryLines` is the maximum number of lines between chains for which the library is used.
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
