import type { FlowNode } from '@stet/presentation/flow';
import { isolated, stepTitle } from '@stet/domain/workflows';
import { memo } from 'react';
import type { KeyboardEvent } from 'react';
import { classNames } from '../../../../ui/class-names.ts';
import { StepTypeIcon } from '../../../../step-types/step-type.tsx';
import type { FlowMark, StepHeat } from '../model/flow-marks.ts';
import { titleLines } from '../model/box-text.ts';
import styles from './flow-picture.module.css';

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

type FlowBoxProps = FlowNode & {
  /** Describes the step and its next steps to screen readers. */
  words: string;
  /** How the step differs from the other side of a change. */
  mark: FlowMark | undefined;
  /** A figure of the step. */
  heat: StepHeat | undefined;
  selected: boolean;
  /** Whether this box is the Tab stop. */
  isStop: boolean;
  onSelect: ((stepId: string) => void) | undefined;
  onReach: (stepId: string) => void;
  /** The index among the boxes, starting at 0. */
  place: number;
  onWalk: (event: KeyboardEvent, from: number) => void;
};

/**
 * A step with its type's icon, its number and its title. The coordinates are separate props, so that a new layout only
 * rerenders the boxes that moved.
 */
export const FlowBox = memo(function FlowBox(props: FlowBoxProps) {
  const {
    id,
    step,
    number,
    x,
    y,
    width,
    height,
    words,
    mark,
    heat,
    selected,
    isStop,
    onSelect,
    onReach,
    place,
    onWalk,
  } = props;
  const lines = titleLines(stepTitle(step));
  const top = height / 2 + (lines.length === 1 && !heat ? 4.5 : -4.5);
  const drawn = (
    <>
      <rect className={styles.flowCard} width={width} height={height} rx={5} />
      {heat && (
        <>
          <rect
            className={styles.flowHeat}
            width={(width * heat.share).toFixed(1)}
            height={height}
            rx={5}
            opacity={0.25 + 0.75 * heat.share}
          />
          <text className={styles.flowHeatWord} x={width - 12} y={height - 7} textAnchor="end">
            {`${heat.text} `}
          </text>
        </>
      )}
      {mark && <rect className={classNames(styles.flowMark, styles[mark])} width={3} height={height} rx={1.5} />}
      {mark && (
        <text className={classNames(styles.flowMarkWord, styles[mark])} x={width - 12} y={height - 7} textAnchor="end">
          {`${mark} `}
        </text>
      )}
      {selected && <rect className={styles.flowBar} x={0} y={0} width={3} height={height} rx={1.5} />}
      <g transform={`translate(14 ${height / 2 - 8}) scale(${16 / 24})`}>
        <StepTypeIcon type={step.type} />
      </g>
      <text className={styles.flowNumber} x={width - 12} y={17} textAnchor="end">
        {/* The spaces separate these texts in the button's name. */}
        {`${number} `}
      </text>
      {/* Character widths are estimates, so text that is too wide is clipped at the edge of the box. */}
      <svg x={42} width={width - 42 - 8} height={height} overflow="hidden">
        <text className={styles.flowTitle} x={0} y={top}>
          {lines.map((line, index) => (
            <tspan key={line} x={0} dy={index === 0 ? 0 : 17}>
              {`${line} `}
            </tspan>
          ))}
        </text>
      </svg>
    </>
  );
  return (
    <g
      role="listitem"
      aria-label={[words, mark && capitalized(mark), heat?.text].filter(Boolean).join('. ')}
      transform={`translate(${x} ${y})`}
    >
      <title>{`${isolated(stepTitle(step))}, ${step.type}`}</title>
      {onSelect ? (
        <g
          data-step={id}
          role="button"
          tabIndex={isStop ? 0 : -1}
          aria-pressed={selected}
          className={classNames(styles.flowBox, selected && styles.selected)}
          onClick={() => onSelect(id)}
          onFocus={() => onReach(id)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== ' ') return onWalk(event, place);
            event.preventDefault();
            onSelect(id);
          }}
        >
          {drawn}
        </g>
      ) : (
        <g data-step={id} className={classNames(styles.flowBox, selected && styles.selected)}>
          {drawn}
        </g>
      )}
    </g>
  );
});
