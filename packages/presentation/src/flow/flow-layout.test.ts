import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stepsOf, workflowOf } from '@stet/domain/testing';
import { FLOW_BOX, type FlowLayout, layOutFlow } from './flow-layout.ts';

const nodeOf = (layout: FlowLayout, id: string) => {
  const node = layout.nodes.find((each) => each.id === id);
  if (!node) throw new Error(`no node ${id}`);
  return node;
};

function overlaps(a: { x: number; y: number }, b: { x: number; y: number }): boolean {
  return Math.abs(a.x - b.x) < FLOW_BOX.width && Math.abs(a.y - b.y) < FLOW_BOX.height;
}

/** Returns whether a point is on the edge of a box, to a hundredth of a pixel. */
function isOnEdge({ x, y }: { x: number; y: number }, box: FlowLayout['nodes'][number]): boolean {
  const [left, right, above, below] = [x - box.x, box.x + box.width - x, y - box.y, box.y + box.height - y];
  const nearest = Math.min(left, right, above, below);
  return Math.abs(nearest) < 0.01;
}

function expectJoined(layout: FlowLayout): void {
  for (const { from, to, points, labelAt } of layout.edges) {
    const [first, last] = [points.at(0), points.at(-1)];
    if (!first || !last) throw new Error(`no points from ${from} to ${to}`);
    expect(isOnEdge(first, nodeOf(layout, from)), `begin of ${from} ${to}`).toBe(true);
    expect(isOnEdge(last, nodeOf(layout, to)), `end of ${from} ${to}`).toBe(true);
    if (from === to) expect(Math.hypot(first.x - last.x, first.y - last.y)).toBeGreaterThan(5);
    for (const { x, y } of labelAt ? [...points, labelAt] : points) {
      expect(x).toBeGreaterThanOrEqual(-0.01);
      expect(y).toBeGreaterThanOrEqual(-0.01);
      expect(x).toBeLessThanOrEqual(layout.width + 0.01);
      expect(y).toBeLessThanOrEqual(layout.height + 0.01);
    }
  }
}

describe('a workflow’s diagram', () => {
  it('places the steps of a chain below each other', () => {
    const layout = layOutFlow(stepsOf({ a: 'b', b: 'c', c: '' }));
    const [a, b, c] = layout.nodes;
    expect([a?.number, b?.number, c?.number]).toEqual([1, 2, 3]);
    expect(a?.x).toBe(b?.x);
    expect(b?.y).toBeGreaterThan((a?.y ?? 0) + FLOW_BOX.height);
    expect(layout).toMatchObject({ width: FLOW_BOX.width });
    expect(layout.height).toBe((c?.y ?? 0) + FLOW_BOX.height);
  });

  it('places branches side by side, labels each result, and joins them again', () => {
    const layout = layOutFlow(
      stepsOf({ a: 'b', b: 'c d', c: 'e', d: 'e', e: '' }, { b: { type: 'condition', config: { trueNext: 'c' } } }),
    );
    expect(nodeOf(layout, 'c').y).toBe(nodeOf(layout, 'd').y);
    expect(nodeOf(layout, 'c').x).not.toBe(nodeOf(layout, 'd').x);
    expect(layout.edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`)).toEqual([
      'a next b',
      'b yes c',
      'b no d',
      'c next e',
      'd next e',
    ]);
    for (const { kind, labelAt } of layout.edges) expect(labelAt === null).toBe(kind === 'next');
  });

  it('draws the line of a rejection upwards', () => {
    const layout = layOutFlow(
      stepsOf({ a: 'b', b: 'c', c: '' }, { c: { type: 'approval', config: { onReject: 'a' } } }),
    );
    const back = layout.edges.find(({ kind }) => kind === 'rejected');
    expect(back).toMatchObject({ from: 'c', to: 'a' });
    expect(back?.points.at(0)?.y).toBeGreaterThan(back?.points.at(-1)?.y ?? Number.POSITIVE_INFINITY);
    expect(nodeOf(layout, 'a').y).toBeLessThan(nodeOf(layout, 'c').y);
  });

  it('also shows invalid graphs: cycles, links to missing steps, a repeated id', () => {
    const layout = layOutFlow([...stepsOf({ a: 'b', b: 'a', c: 'gone c' }), ...stepsOf({ a: '' })]);
    expect(layout.nodes.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(layout.edges.map(({ from, to }) => `${from} ${to}`)).toEqual(['a b', 'b a', 'c c']);
  });

  it('places any workflow’s steps inside the diagram, apart from each other, and always the same way', () => {
    fc.assert(
      fc.property(
        workflowOf({ maxSteps: 14 }),
        fc.constantFrom('down' as const, 'right' as const),
        (steps, direction) => {
          const layout = layOutFlow(steps, direction);
          expect(layout.nodes.map(({ id }) => id)).toEqual(steps.map(({ id }) => id));
          expect(layout.edges.length).toBeGreaterThanOrEqual(steps.flatMap(({ next }) => next).length);
          layout.nodes.forEach((node, index) => {
            expect(node.x).toBeGreaterThanOrEqual(-0.01);
            expect(node.y).toBeGreaterThanOrEqual(-0.01);
            expect(node.x + node.width).toBeLessThanOrEqual(layout.width + 0.01);
            expect(node.y + node.height).toBeLessThanOrEqual(layout.height + 0.01);
            for (const other of layout.nodes.slice(index + 1)) expect(overlaps(node, other)).toBe(false);
          });
          for (const { points } of layout.edges) {
            for (const { x, y } of points) expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true);
          }
          expect(layOutFlow(steps, direction)).toEqual(layout);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    ['a cycle that is one chain', { a: 'b', b: 'c', c: 'a' }],
    ['a link back into a chain', { a: 'b', b: 'c', c: 'd', d: 'b e', e: 'f', f: '' }],
    ['a link back out of a chain', { a: 'b', b: 'c', c: 'd e', d: 'f', f: 'g', g: 'a', e: '' }],
    ['steps that lead to themselves', { a: 'a b', b: 'c', c: 'c' }],
    ['long branches side by side', { a: 'b c d', b: 'e', e: 'f', f: 'z', c: 'g', g: 'h', h: 'z', d: 'z', z: '' }],
  ])('draws every line of %s from edge to edge', (_, links) => {
    for (const direction of ['down', 'right'] as const) expectJoined(layOutFlow(stepsOf(links), direction));
  });

  it('draws every line from edge to edge inside the diagram, even with cycles', () => {
    const graph = fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 14 }), fc.boolean())
      .map(([count, pairs, chained]) => {
        const links: Record<string, string> = {};
        for (let n = 0; n < count; n++) {
          const jumps = pairs.filter(([from]) => from % count === n).map(([, to]) => to % count);
          const next = new Set(chained && n + 1 < count ? [n + 1, ...jumps.slice(0, 1)] : jumps);
          links[`s${n}`] = [...next].map((to) => `s${to}`).join(' ');
        }
        return stepsOf(links, { s1: { type: 'condition', config: { trueNext: 's0' } } });
      });
    fc.assert(
      fc.property(graph, fc.constantFrom('down' as const, 'right' as const), (steps, direction) => {
        const layout = layOutFlow(steps, direction);
        expect(layout.edges).toHaveLength(steps.flatMap(({ next }) => next).length);
        expectJoined(layout);
      }),
      { numRuns: 120 },
    );
  });

  it('places a thousand steps with up to a hundred links each', () => {
    const steps = stepsOf(
      Object.fromEntries(
        Array.from({ length: 1000 }, (_, n) => [
          `s${n}`,
          Array.from({ length: 100 }, (__, jump) => `s${n + 1 + jump}`)
            .filter((id) => Number(id.slice(1)) < 1000)
            .join(' '),
        ]),
      ),
    );
    const layout = layOutFlow(steps);
    expect(layout.nodes).toHaveLength(1000);
    expect(nodeOf(layout, 's999').y).toBeGreaterThan(nodeOf(layout, 's998').y);
  });
});
