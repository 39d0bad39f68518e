import { type Box, type Direction, GAP, type Layout, type Line, type PlacedBox, type Point } from './geometry.ts';

/** How far a line from a box to itself extends, in pixels: within the gap to the next box. */
const LOOP = GAP.across / 2;

/** Returns the point where a line from the middle of a box to an outside point crosses the box's edge. */
export function edgeTowards(box: PlacedBox, to: Point): Point {
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const [dx, dy] = [to.x - middle.x, to.y - middle.y];
  const share = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : box.width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : box.height / 2 / Math.abs(dy),
  );
  // The exact middle has no direction, so the line goes straight down.
  if (!Number.isFinite(share)) return { x: middle.x, y: box.y + box.height };
  return { x: middle.x + dx * share, y: middle.y + dy * share };
}

/** Returns the line from a box to itself: out of its side and back, beside the main flow. */
export function loopOf(box: PlacedBox, direction: Direction): Point[] {
  const { x, y, width, height } = box;
  if (direction === 'down') {
    const [right, out] = [x + width, x + width + LOOP];
    const [from, to] = [y + height / 3, y + (2 * height) / 3];
    return [
      { x: right, y: from },
      { x: out, y: from },
      { x: out, y: to },
      { x: right, y: to },
    ];
  }
  const [below, out] = [y + height, y + height + LOOP];
  const [from, to] = [x + width / 3, x + (2 * width) / 3];
  return [
    { x: from, y: below },
    { x: from, y: out },
    { x: to, y: out },
    { x: to, y: below },
  ];
}

/**
 * Returns the boxes on a cycle or between two cycles: those that still have a link in and a link out after all others
 * are removed.
 */
export function boxesOnCircles(boxes: readonly Box[], lines: readonly Line[]): Set<string> {
  const left = new Set(boxes.map(({ id }) => id));
  for (const end of ['from', 'to'] as const) {
    const other = end === 'from' ? 'to' : 'from';
    const counts = new Map<string, number>();
    const beyond = new Map<string, string[]>();
    for (const line of lines) {
      if (!left.has(line.from) || !left.has(line.to)) continue;
      counts.set(line[end], (counts.get(line[end]) ?? 0) + 1);
      beyond.set(line[other], [...(beyond.get(line[other]) ?? []), line[end]]);
    }
    const free = [...left].filter((id) => !counts.get(id));
    // The array grows during the iteration.
    for (const id of free) {
      left.delete(id);
      for (const next of beyond.get(id) ?? []) {
        const rest = (counts.get(next) ?? 0) - 1;
        counts.set(next, rest);
        if (rest === 0) free.push(next);
      }
    }
  }
  return left;
}

/** Returns the same diagram, moved and enlarged so that all lines and labels fit. */
export function fitted<L extends Line>({ width, height, boxes, lines }: Layout<L>): Layout<L> {
  const points = lines.flatMap(({ line: { label }, points: through, labelAt }) => {
    if (!label || !labelAt) return through;
    const [aside, up] = [label.width / 2, label.height / 2];
    return [...through, { x: labelAt.x - aside, y: labelAt.y - up }, { x: labelAt.x + aside, y: labelAt.y + up }];
  });
  let [left, top, right, bottom] = [0, 0, width, height];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  const moved = <P extends Point>(point: P): P => ({ ...point, x: point.x - left, y: point.y - top });
  return {
    width: right - left,
    height: bottom - top,
    boxes: left === 0 && top === 0 ? boxes : boxes.map(moved),
    lines:
      left === 0 && top === 0
        ? lines
        : lines.map((line) => ({
            ...line,
            points: line.points.map(moved),
            labelAt: line.labelAt && moved(line.labelAt),
          })),
  };
}
