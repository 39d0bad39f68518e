import type { FlowEdge, FlowLayout, FlowNode } from '@stet/presentation/flow';
import { isolated, stepTitle } from '@stet/domain/workflows';
import { memo, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { linePath } from '../model/line-path.ts';
import { EDGE_WORDS, stepWords } from '../model/step-words.ts';
import type { FlowHeat, FlowMarks } from '../model/flow-marks.ts';
import { FlowBox } from './flow-box.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import styles from './flow-picture.module.css';

/** Space around the diagram for focus rings and shadows. */
export const DRAWING_MARGIN = 16;

type FlowDrawingProps = {
  drawing: RefObject<SVGSVGElement | null>;
  layout: FlowLayout;
  nodes: readonly FlowNode[];
  scale: number;
  selectedId: string | undefined;
  marks: FlowMarks | undefined;
  heat: FlowHeat | undefined;
  onSelect: ((stepId: string) => void) | undefined;
};

/** The boxes and lines. Screen readers get a list of the steps with their next steps. */
export function FlowDrawing({ drawing, layout, nodes, scale, selectedId, marks, heat, onSelect }: FlowDrawingProps) {
  const marker = useId();
  const [reached, setReached] = useState<string | null>(null);
  const words = useWords(nodes, layout.edges);
  const stop = [reached, selectedId].find((id) => id && nodes.some((node) => node.id === id)) ?? nodes[0]?.id;
  const width = layout.width + 2 * DRAWING_MARGIN;
  const height = layout.height + 2 * DRAWING_MARGIN;

  useEffect(() => {
    if (selectedId) boxOf(drawing.current, selectedId)?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [drawing, selectedId]);

  const latest = useRef(nodes);
  useEffect(() => {
    latest.current = nodes;
  });
  // The function must be stable, because a new one would rerender every box.
  const walk = useCallback(
    (event: KeyboardEvent, from: number): void => {
      const all = latest.current;
      const places: Record<string, number> = { Home: 0, End: all.length - 1 };
      const steps: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
      const target = all[places[event.key] ?? from + (steps[event.key] ?? Number.NaN)];
      if (!target) return;
      event.preventDefault();
      boxOf(drawing.current, target.id)?.focus();
    },
    [drawing],
  );

  return (
    <svg
      ref={drawing}
      className={styles.flowSvg}
      width={width * scale}
      height={height * scale}
      viewBox={`${-DRAWING_MARGIN} ${-DRAWING_MARGIN} ${width} ${height}`}
      role="list"
      aria-label="Steps and what follows them"
    >
      <defs>
        <marker id={marker} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path className={styles.flowHead} d="M0 0.5L7 4L0 7.5Z" />
        </marker>
      </defs>
      <g aria-hidden="true">
        {layout.edges.map((edge) => (
          <FlowLine
            key={`${edge.from} ${edge.to} ${edge.kind}`}
            kind={edge.kind}
            path={linePath(edge.points)}
            labelX={edge.labelAt?.x}
            labelY={edge.labelAt?.y}
            marker={marker}
            isChanged={marks?.links.has(`${edge.from} ${edge.to}`) ?? false}
          />
        ))}
      </g>
      {nodes.map((node, index) => (
        <FlowBox
          key={node.id}
          {...node}
          words={words.get(node.id) ?? ''}
          mark={marks?.steps.get(node.id)}
          heat={heat?.get(node.id)}
          selected={node.id === selectedId}
          isStop={node.id === stop}
          onSelect={onSelect}
          onReach={setReached}
          place={index}
          onWalk={walk}
        />
      ))}
    </svg>
  );
}

function boxOf(drawing: SVGSVGElement | null, stepId: string): SVGGElement | null {
  return drawing?.querySelector<SVGGElement>(`[data-step="${CSS.escape(stepId)}"]`) ?? null;
}

type FlowLineProps = {
  kind: FlowEdge['kind'];
  /** The path's data. */
  path: string;
  labelX: number | undefined;
  labelY: number | undefined;
  marker: string;
  isChanged: boolean;
};

/** A link. Its props contain no objects, so that a new layout only rerenders the lines that moved. */
const FlowLine = memo(function FlowLine({ kind, path, labelX, labelY, marker, isChanged }: FlowLineProps) {
  const word = EDGE_WORDS[kind];
  const width = kind === 'rejected' ? 60 : 32;
  return (
    <g className={classNames(styles.flowLine, kind === 'rejected' && styles.back, isChanged && styles.changed)}>
      <path d={path} markerEnd={`url(#${marker})`} />
      {word && labelX !== undefined && labelY !== undefined && (
        <g transform={`translate(${labelX} ${labelY})`}>
          <rect x={-width / 2} y={-9} width={width} height={18} rx={9} />
          <text textAnchor="middle" dy="0.35em">
            {word}
          </text>
        </g>
      )}
    </g>
  );
});

function useWords(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): Map<string, string> {
  return useMemo(() => {
    const names = new Map(nodes.map(({ id, number, step }) => [id, `${number} ${isolated(stepTitle(step))}`]));
    const ways = new Map<string, FlowEdge[]>();
    for (const edge of edges) ways.set(edge.from, [...(ways.get(edge.from) ?? []), edge]);
    return new Map(
      nodes.map(({ id, number, step }) => [
        id,
        stepWords(step, number, ways.get(id) ?? [], (to) => names.get(to) ?? to),
      ]),
    );
  }, [nodes, edges]);
}
