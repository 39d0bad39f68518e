import { boxesOnCircles, edgeTowards } from './joints.ts';
import { type Box, type Direction, GAP, type Layout, type Line, type PlacedBox, type Point } from './geometry.ts';

type Arrange = <L extends Line>(boxes: readonly Box[], lines: readonly L[]) => Layout<L>;
type Between<L extends Line> = Line & { line: L };

/**
 * Places a chain of boxes as a single long box, and splits it afterwards. The library takes seconds for hundreds of
 * boxes. Most workflows are chains with a few branches, so it has to place only a handful. Boxes on a cycle stay
 * single, because a link back can begin or end in the middle of a chain.
 */
export function layOutChains<L extends Line>(
  boxes: readonly Box[],
  lines: readonly L[],
  direction: Direction,
  arrange: Arrange,
): Layout<L> {
  const chains = chainsOf(boxes, lines);
  const chainOf = new Map(chains.flatMap((chain) => chain.map((box) => [box.id, chain] as const)));
  const nameOf = (id: string): string => chainOf.get(id)?.[0]?.id ?? id;
  const inner = new Set<L>();
  for (const line of lines) if (isLink(chainOf.get(line.from), line)) inner.add(line);
  const between: Between<L>[] = lines
    .filter((line) => !inner.has(line))
    .map((line) => ({ from: nameOf(line.from), to: nameOf(line.to), line, ...(line.label && { label: line.label }) }));

  const down = direction === 'down';
  const along = (box: Box): number => (down ? box.height : box.width);
  const across = (box: Box): number => (down ? box.width : box.height);
  const groups = chains.map((chain): Box => {
    const length = chain.reduce((sum, box) => sum + along(box) + GAP.along, -GAP.along);
    const breadth = Math.max(...chain.map(across));
    return { id: chain[0]?.id ?? '', width: down ? breadth : length, height: down ? length : breadth };
  });
  const arranged = arrange(groups, between);

  const placed = new Map<string, PlacedBox>();
  arranged.boxes.forEach((group, index) => {
    let offset = 0;
    for (const box of chains[index] ?? []) {
      const aside = (across(group) - across(box)) / 2;
      placed.set(box.id, { ...box, x: group.x + (down ? aside : offset), y: group.y + (down ? offset : aside) });
      offset += along(box) + GAP.along;
    }
  });
  const outer = new Map(arranged.lines.map((entry) => [entry.line.line, entry]));
  return {
    width: arranged.width,
    height: arranged.height,
    boxes: boxes.flatMap(({ id }) => placed.get(id) ?? []),
    lines: lines.flatMap((line) => {
      const entry = outer.get(line);
      const [from, to] = [placed.get(line.from), placed.get(line.to)];
      if (!from || !to) return [];
      if (entry) return [{ line, points: joined(entry.points, from, to), labelAt: entry.labelAt }];
      const start = down
        ? { x: from.x + from.width / 2, y: from.y + from.height }
        : { x: from.x + from.width, y: from.y + from.height / 2 };
      const end = down ? { x: to.x + to.width / 2, y: to.y } : { x: to.x, y: to.y + to.height / 2 };
      return [{ line, points: [start, end], labelAt: null }];
    }),
  };
}

/** Extends a line to the actual box within the long box of a chain. A straight line already ends there. */
function joined(points: readonly Point[], from: PlacedBox, to: PlacedBox): Point[] {
  const [second, beforeLast] = [points.at(1), points.at(-2)];
  if (points.length < 3 || !second || !beforeLast) return [...points];
  return [edgeTowards(from, second), ...points.slice(1, -1), edgeTowards(to, beforeLast)];
}

/**
 * Returns each box in exactly one chain; the chains are in the order of their first boxes. A line with a label needs
 * space, so it ends a chain.
 */
function chainsOf(boxes: readonly Box[], lines: readonly Line[]): Box[][] {
  const out = new Map<string, Line[]>();
  const into = new Map<string, number>();
  for (const line of lines) {
    out.set(line.from, [...(out.get(line.from) ?? []), line]);
    into.set(line.to, (into.get(line.to) ?? 0) + 1);
  }
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const circling = boxesOnCircles(boxes, lines);
  const after = (id: string): string | undefined => {
    const [line, ...others] = out.get(id) ?? [];
    const isOnly = line !== undefined && others.length === 0 && into.get(line.to) === 1;
    const isApart = line !== undefined && !circling.has(id) && !circling.has(line.to);
    return isOnly && isApart && line.label === undefined ? line.to : undefined;
  };
  const continued = new Set(boxes.flatMap(({ id }) => after(id) ?? []));
  const used = new Set<string>();
  const chains: Box[][] = [];
  for (const start of boxes.filter(({ id }) => !continued.has(id))) {
    const chain: Box[] = [];
    for (let id: string | undefined = start.id; id !== undefined && !used.has(id); id = after(id)) {
      used.add(id);
      const box = byId.get(id);
      if (box) chain.push(box);
    }
    if (chain.length > 0) chains.push(chain);
  }
  const order = new Map(boxes.map(({ id }, index) => [id, index]));
  return chains.toSorted((a, b) => (order.get(a[0]?.id ?? '') ?? 0) - (order.get(b[0]?.id ?? '') ?? 0));
}

function isLink(chain: readonly Box[] | undefined, line: Line): boolean {
  const at = chain?.findIndex(({ id }) => id === line.from) ?? -1;
  return at >= 0 && chain?.[at + 1]?.id === line.to;
}
