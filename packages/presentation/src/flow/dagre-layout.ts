import dagre from '@dagrejs/dagre';
import { type Box, type Direction, GAP, type Layout, type Line, type Point } from './geometry.ts';

type Placed = { x: number; y: number };
type PlacedEdge = { points: Point[]; x?: number; y?: number };

/** Returns dagre's layered layout: few crossings, lines around boxes, space for labels. */
export function layOutByDagre<L extends Line>(
  boxes: readonly Box[],
  lines: readonly L[],
  direction: Direction,
): Layout<L> {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({
    rankdir: direction === 'down' ? 'TB' : 'LR',
    ranksep: GAP.along,
    nodesep: GAP.across,
    edgesep: 16,
    rankalign: 'top',
  });
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  lines.forEach(({ from, to, label }, index) => {
    graph.setEdge(from, to, { width: label?.width ?? 0, height: label?.height ?? 0, labelpos: 'c' }, String(index));
  });
  dagre.layout(graph);
  const size = graph.graph() as { width?: number; height?: number };
  return {
    width: size.width ?? 0,
    height: size.height ?? 0,
    boxes: boxes.map((box) => {
      const { x, y } = graph.node(box.id) as Placed;
      return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
    }),
    lines: lines.map((line, index) => {
      const edge = graph.edge({ v: line.from, w: line.to, name: String(index) }) as PlacedEdge;
      const labelAt = line.label && edge.x !== undefined && edge.y !== undefined ? { x: edge.x, y: edge.y } : null;
      return { line, points: edge.points.map(({ x, y }) => ({ x, y })), labelAt };
    }),
  };
}
