import { type Box, type Direction, GAP, type Layout, type Line } from './geometry.ts';

/**
 * Places boxes in rows by the longest path to each box, in input order, with straight lines. The result is less pretty
 * than dagre's, but takes linear time in boxes and lines. Boxes on a cycle, and those after it, are in the last row.
 */
export function layOutInRows<L extends Line>(
  boxes: readonly Box[],
  lines: readonly L[],
  direction: Direction,
): Layout<L> {
  const rows: Box[][] = [];
  const rowOf = rowsByPath(boxes, lines);
  for (const box of boxes) (rows[rowOf.get(box.id) ?? 0] ??= []).push(box);

  const down = direction === 'down';
  const across = (box: Box): number => (down ? box.width : box.height);
  const along = (box: Box): number => (down ? box.height : box.width);
  const widths = rows.map((row) => row.reduce((sum, box) => sum + across(box) + GAP.across, -GAP.across));
  const widest = Math.max(0, ...widths);
  const places = new Map<string, { x: number; y: number }>();
  let top = 0;
  rows.forEach((row, index) => {
    let left = (widest - (widths[index] ?? 0)) / 2;
    for (const box of row) {
      places.set(box.id, down ? { x: left, y: top } : { x: top, y: left });
      left += across(box) + GAP.across;
    }
    top += Math.max(0, ...row.map(along)) + GAP.along;
  });

  const placed = boxes.map((box) => ({ ...box, ...(places.get(box.id) ?? { x: 0, y: 0 }) }));
  const byId = new Map(placed.map((box) => [box.id, box]));
  const length = Math.max(0, top - GAP.along);
  return {
    width: down ? widest : length,
    height: down ? length : widest,
    boxes: placed,
    lines: lines.flatMap((line) => {
      const [from, to] = [byId.get(line.from), byId.get(line.to)];
      if (!from || !to) return [];
      const start = down
        ? { x: from.x + from.width / 2, y: from.y + from.height }
        : { x: from.x + from.width, y: from.y + from.height / 2 };
      const end = down ? { x: to.x + to.width / 2, y: to.y } : { x: to.x, y: to.y + to.height / 2 };
      const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
      return [{ line, points: [start, end], labelAt: line.label ? middle : null }];
    }),
  };
}

function rowsByPath(boxes: readonly Box[], lines: readonly Line[]): Map<string, number> {
  const missing = new Map(boxes.map(({ id }) => [id, 0]));
  const next = new Map<string, string[]>(boxes.map(({ id }) => [id, []]));
  for (const { from, to } of lines) {
    next.get(from)?.push(to);
    missing.set(to, (missing.get(to) ?? 0) + 1);
  }
  const rowOf = new Map<string, number>();
  const queue = boxes.filter(({ id }) => missing.get(id) === 0).map(({ id }) => id);
  const longest = new Map<string, number>();
  // The array grows during the iteration.
  for (const id of queue) {
    const row = longest.get(id) ?? 0;
    rowOf.set(id, row);
    for (const target of next.get(id) ?? []) {
      longest.set(target, Math.max(longest.get(target) ?? 0, row + 1));
      const left = (missing.get(target) ?? 0) - 1;
      missing.set(target, left);
      if (left === 0) queue.push(target);
    }
  }
  const last = rowOf.size === 0 ? 0 : Math.max(...rowOf.values()) + 1;
  for (const { id } of boxes) if (!rowOf.has(id)) rowOf.set(id, last);
  return rowOf;
}
