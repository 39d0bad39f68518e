import type { Point } from '@stet/presentation/flow';

const BEND = 10;

/** An SVG path through the points, with rounded corners. */
export function linePath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let before = first;
  const parts = [`M${at(first)}`];
  rest.forEach((corner, index) => {
    const after = rest[index + 1];
    if (!after) parts.push(`L${at(corner)}`);
    else parts.push(`L${at(towards(corner, before))}Q${at(corner)} ${at(towards(corner, after))}`);
    before = corner;
  });
  return parts.join('');
}

const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;
const round = (n: number): number => Math.round(n * 10) / 10;

/** The point where a corner's curve begins or ends, at most halfway to the other corner. */
function towards(corner: Point, other: Point): Point {
  const length = Math.hypot(other.x - corner.x, other.y - corner.y);
  const share = length === 0 ? 0 : Math.min(BEND, length / 2) / length;
  return { x: corner.x + (other.x - corner.x) * share, y: corner.y + (other.y - corner.y) * share };
}
