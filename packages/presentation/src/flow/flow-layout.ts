import { type Step, branchTaken, isBranching, refersTo } from '@stet/domain/steps';
import { graphOf } from '@stet/domain/workflows';
import { layOut } from './lay-out.ts';
import type { Direction, Line, PlacedBox, Point } from './geometry.ts';

/**
 * The meaning of a line in the diagram: the next step, the next step of a condition's result, or the return of a
 * rejection.
 */
type FlowEdgeKind = 'next' | 'yes' | 'no' | 'rejected';
export type FlowEdge = { from: string; to: string; kind: FlowEdgeKind; points: Point[]; labelAt: Point | null };
/** `number` is the step's place in the list, from 1. */
export type FlowNode = PlacedBox & { number: number; step: Step };
/** In pixels; nodes and edges are within `width` and `height`. */
export type FlowLayout = { width: number; height: number; nodes: FlowNode[]; edges: FlowEdge[] };

/** The size of a step's box, and the space for a line's label, in pixels. */
export const FLOW_BOX = { width: 208, height: 56 } as const;
const LABELS = {
  next: null,
  yes: { width: 36, height: 20 },
  no: { width: 36, height: 20 },
  rejected: { width: 64, height: 20 },
} as const;

type StepLine = Line & { kind: FlowEdgeKind };

/**
 * Returns the diagram of a workflow: a box for each step and a line for each link. The lines of a condition's results
 * and of rejections have space for a label, and those of rejections lead back. Two steps with one id are drawn once.
 * Steps that can't run (cycles, unreachable) are drawn too.
 */
export function layOutFlow(steps: readonly Step[], direction: Direction = 'down'): FlowLayout {
  const graph = graphOf(steps);
  const byId = new Map(
    steps.map((step, index) => [step.id, { step, number: index + 1 }]).toReversed() as [
      string,
      { step: Step; number: number },
    ][],
  );
  const boxes = graph.ids.map((id) => ({ id, ...FLOW_BOX }));
  const lines = graph.ids.flatMap((id): StepLine[] => {
    const step = byId.get(id)?.step;
    return step ? linesOf(step, graph.next(id), (target) => graph.has(target)) : [];
  });
  const { width, height, boxes: placed, lines: drawn } = layOut(boxes, lines, direction);
  return {
    width,
    height,
    nodes: placed.flatMap((box) => {
      const known = byId.get(box.id);
      return known ? [{ ...box, ...known }] : [];
    }),
    edges: drawn.map(({ line: { from, to, kind }, points, labelAt }) =>
      // Laid out in the opposite direction, so that the return doesn't turn the diagram upside down.
      kind === 'rejected'
        ? { from: to, to: from, kind, points: points.toReversed(), labelAt }
        : { from, to, kind, points, labelAt },
    ),
  };
}

function linesOf(step: Step, next: readonly string[], has: (id: string) => boolean): StepLine[] {
  const lines = next.map((to): StepLine => lineOf({ from: step.id, to, kind: kindOf(step, to) }));
  for (const { names, target } of refersTo(step)) {
    const isBack = names === 'earlier' && target !== step.id && has(target);
    if (isBack) lines.push(lineOf({ from: target, to: step.id, kind: 'rejected' }));
  }
  return lines;
}

function lineOf(line: { from: string; to: string; kind: FlowEdgeKind }): StepLine {
  const label = LABELS[line.kind];
  return label ? { ...line, label } : line;
}

/** If both results lead to the same step, the line has no label. */
function kindOf(step: Step, to: string): FlowEdgeKind {
  if (!isBranching(step)) return 'next';
  const [onYes, onNo] = [branchTaken(step, true).includes(to), branchTaken(step, false).includes(to)];
  if (onYes === onNo) return 'next';
  return onYes ? 'yes' : 'no';
}
