import type { FlowNode } from '@stet/domain/flow';
import { isolated, stepTitle } from '@stet/domain/workflows';
import { memo } from 'react';
import type { KeyboardEvent } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { StepTypeIcon } from '../../../ui/step-type.tsx';
import { titleLines } from '../model/box-text.ts';

type FlowBoxProps = FlowNode & {
  /** The step and what follows it, for a screen reader. */
  words: string;
  selected: boolean;
  /** Whether Tab comes here. */
  isStop: boolean;
  onSelect: ((stepId: string) => void) | undefined;
  onReach: (stepId: string) => void;
  /** Among the boxes, from 0. */
  place: number;
  onWalk: (event: KeyboardEvent, from: number) => void;
};

/** One step: its type's icon, its number, its title. Its place comes in parts, so that a box that stays is not drawn again. */
export const FlowBox = memo(function FlowBox(props: FlowBoxProps) {
  const { id, step, number, x, y, width, height, words, selected, isStop, onSelect, onReach, place, onWalk } = props;
  const lines = titleLines(stepTitle(step));
  const top = height / 2 + (lines.length === 1 ? 4.5 : -4.5);
  const drawn = (
    <>
      <title>{`${isolated(stepTitle(step))}, ${step.type}`}</title>
      <rect className="flow-card" width={width} height={height} rx={5} />
      {selected && <rect className="flow-bar" x={0} y={0} width={3} height={height} rx={1.5} />}
      <g transform={`translate(14 ${height / 2 - 8}) scale(${16 / 24})`}>
        <StepTypeIcon type={step.type} />
      </g>
      <text className="flow-number" x={width - 12} y={17} textAnchor="end">
        {number}
      </text>
      {/* How wide letters are is estimated: what is wider than that ends at the box. */}
      <svg x={42} width={width - 42 - 8} height={height} overflow="hidden">
        <text className="flow-title" x={0} y={top}>
          {lines.map((line, index) => (
            <tspan key={line} x={0} dy={index === 0 ? 0 : 17}>
              {line}
            </tspan>
          ))}
        </text>
      </svg>
    </>
  );
  return (
    <g role="listitem" aria-label={onSelect ? undefined : words} transform={`translate(${x} ${y})`}>
      {onSelect ? (
        <g
          data-step={id}
          role="button"
          tabIndex={isStop ? 0 : -1}
          aria-label={words}
          aria-pressed={selected}
          className={classNames('flow-box', selected && 'selected')}
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
        <g data-step={id} className={classNames('flow-box', selected && 'selected')}>
          {drawn}
        </g>
      )}
    </g>
  );
});
