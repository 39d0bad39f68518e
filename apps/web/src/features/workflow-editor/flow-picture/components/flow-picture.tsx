import type { FlowNode } from '@stet/presentation/flow';
import type { Step } from '@stet/domain/steps';
import { Download, Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { memo, useMemo, useRef } from 'react';
import { saveFile } from '../../../../lib/save-file.ts';
import { IconButton } from '../../../../ui/button.tsx';
import { SkeletonRows } from '../../../../ui/skeleton.tsx';
import { useFlowLayout } from '../api/use-flow-layout.ts';
import { svgText } from '../model/svg-text.ts';
import type { FlowHeat, FlowMarks } from '../model/flow-marks.ts';
import { FlowDrawing } from './flow-drawing.tsx';
import { useZoom } from './use-zoom.ts';
import { classNames } from '../../../../ui/class-names.ts';
import styles from './flow-picture.module.css';

type FlowPictureProps = {
  steps: readonly Step[];
  /** The step that is highlighted and scrolled into view. */
  selectedId?: string | undefined;
  /** If given, the boxes are buttons. */
  onSelect?: ((stepId: string) => void) | undefined;
  /** The exported file's name, without its extension. */
  name?: string;
  /** The name of the diagram for screen readers, if the page has several. */
  label?: string;
  /** The changed steps and links. */
  marks?: FlowMarks | undefined;
  /** A figure of each step. */
  heat?: FlowHeat | undefined;
};

/**
 * A diagram of the flow with its branches and joins. Nothing in it can be dragged. If the boxes are buttons, they share
 * one Tab stop, and arrow keys, Home and End move between them. + and - zoom, and 0 fits the whole diagram.
 */
export const FlowPicture = memo(function FlowPicture(props: FlowPictureProps) {
  const { steps, selectedId, onSelect, name = 'flow', label = 'Diagram', marks, heat } = props;
  const layout = useFlowLayout(steps);
  const svg = useRef<SVGSVGElement>(null);
  const { setFrame, scale, zoomIn, zoomOut, fit, onKeyDown } = useZoom(layout);
  const nodes = useMemo(() => {
    const byId = new Map(steps.map((step) => [step.id, step]));
    return (layout?.nodes ?? []).flatMap((node): FlowNode[] => {
      const step = byId.get(node.id);
      return step ? [{ ...node, step }] : [];
    });
  }, [layout, steps]);
  const exportSvg = () => {
    if (svg.current) saveFile(new Blob([svgText(svg.current)], { type: 'image/svg+xml' }), `${name}.svg`);
  };

  if (steps.length === 0) return <p className={classNames('muted', styles.flowEmpty)}>No steps to draw yet.</p>;
  return (
    <section className={styles.flow} aria-label={label}>
      <div className={styles.flowTools} role="toolbar" aria-label="Diagram tools">
        <IconButton size="sm" label="Zoom out" icon={ZoomOut} onClick={zoomOut} />
        <span className={classNames('muted', styles.flowScale)}>{Math.round(scale * 100)} %</span>
        <IconButton size="sm" label="Zoom in" icon={ZoomIn} onClick={zoomIn} />
        <IconButton size="sm" label="Fit the whole flow" icon={Maximize2} onClick={fit} />
        <span className="grow" />
        <IconButton size="sm" label="Export SVG" icon={Download} aria-disabled={!layout} onClick={exportSvg} />
      </div>
      {/* The boxes handle the keys. If they aren't buttons, the scrolling frame itself must be focusable. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        className={styles.flowFrame}
        ref={setFrame}
        onKeyDown={onKeyDown}
        {...(!onSelect && { tabIndex: 0, role: 'region', 'aria-label': `${label}: steps` })}
      >
        {layout ? (
          <FlowDrawing
            drawing={svg}
            layout={layout}
            nodes={nodes}
            scale={scale}
            selectedId={selectedId}
            marks={marks}
            heat={heat}
            onSelect={onSelect}
          />
        ) : (
          <SkeletonRows rows={4} label="Drawing the flow" />
        )}
      </div>
    </section>
  );
});
