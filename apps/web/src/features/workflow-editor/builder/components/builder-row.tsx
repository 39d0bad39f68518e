import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { formatSla } from '@stet/domain/sla';
import type { Step } from '@stet/domain/steps';
import { Copy, Eye, Info, Pencil, Trash2 } from 'lucide-react';
import { memo, useCallback, useEffect, useRef } from 'react';
import { IconButton, Pressable } from '../../../../ui/button.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { StepType } from '../../../../step-types/step-type.tsx';
import type { StepNote } from '../../../../step-types/parts.ts';
import { CommentMark } from '../../components/step-comments.tsx';
import { roleOf, titleOf } from '../model/step-words.ts';
import type { StepGrid } from '../../grid/use-step-grid.ts';
import { DragHandle } from '../../../../ui/drag-handle.tsx';
import { FieldError } from '../../../../ui/field.tsx';
import styles from './builder-table.module.css';

type RowCellsProps = {
  step: Step;
  /** The step's number, starting at 1. */
  number: number;
  active: boolean;
  /** The number of open comments on the step. */
  comments: number;
  /** The next steps in words, unless the only one is the row below. */
  branch: string | null;
  description: string;
  /** Whether the description is shown as code. */
  isExpression: boolean;
  /** The assignee, with names instead of members' addresses. */
  role: string;
  notes: readonly StepNote[] | undefined;
  readOnly: boolean;
  grid: StepGrid;
};

type BuilderRowProps = Omit<RowCellsProps, 'number'> & {
  /** The row's index, starting at 0. */
  index: number;
  /** The distance from the top of the list in pixels. */
  top: number;
  /** Changes when the active row should take the focus. */
  request: number;
  /** Whether the step is marked as changed. */
  changed: boolean;
  measure: (element: HTMLElement | null) => void;
};

/** One step in the table. It is memoized, so that a change of one step doesn't rerender the other rows. */
export const BuilderRow = memo(function BuilderRow(props: BuilderRowProps) {
  const { index, top, request: _, changed, measure, ...cells } = props;
  const { step, active, readOnly, grid } = cells;
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id: step.id,
    disabled: readOnly,
    data: { from: 'row' },
  });
  const firstCell = useRef<HTMLDivElement>(null);
  const focusCell = () => firstCell.current?.focus({ preventScroll: true });
  const setRefs = useCallback(
    (node: HTMLElement | null) => {
      setNodeRef(node);
      measure(node);
    },
    [setNodeRef, measure],
  );
  useEffect(() => {
    if (active && !isDragging && grid.takeFocus(step.id)) focusCell();
  });
  const number = index + 1;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the table handles its keys.
    <div
      ref={setRefs}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={active}
      data-index={index}
      data-step={step.id}
      // A click outside the cells' controls focuses the row. The row then moves the focus to its first cell.
      tabIndex={-1}
      data-dragging={isDragging || undefined}
      className={classNames(styles.bldRow, isDragging && styles.dragging, changed && styles.chg)}
      style={{ top, transform: CSS.Translate.toString(transform), transition }}
      onFocus={({ target, currentTarget }) => {
        if (target === currentTarget) focusCell();
        grid.activate(step.id);
      }}
      onClick={() => grid.activate(step.id)}
      onDoubleClick={() => grid.openStep(step.id)}
    >
      <div
        ref={firstCell}
        role="gridcell"
        aria-label={`${number}, ${titleOf(step)}`}
        tabIndex={active ? 0 : -1}
        className={styles.cN}
      >
        {!readOnly && (
          <DragHandle
            {...attributes}
            {...listeners}
            ref={setActivatorNodeRef}
            size="s"
            className={styles.handle}
            aria-label={`Move step ${number}`}
            tabIndex={active ? 0 : -1}
          />
        )}
        <span>{number}</span>
      </div>
      <RowCells {...cells} number={number} />
    </div>
  );
});

/** The cells after the first one. They don't rerender when the drag and drop library renders all rows. */
const RowCells = memo(function RowCells(props: RowCellsProps) {
  const { step, number, active, comments, branch, description, isExpression, role, notes, readOnly, grid } = props;
  const isUntitled = step.title.trim() === '';
  return (
    <>
      <div role="gridcell" className={styles.cType}>
        <StepType type={step.type} />
      </div>
      <div role="gridcell" className={styles.cTitle}>
        <Pressable
          className={classNames(styles.bldTitle, isUntitled && styles.none)}
          title={titleOf(step)}
          data-title=""
          tabIndex={-1}
          onClick={() => grid.openStep(step.id)}
        >
          {titleOf(step)}
        </Pressable>
        <CommentMark count={comments} />
        {branch && <span className={styles.bldBranch}>{branch}</span>}
        {notes?.map(({ kind, text }) =>
          kind === 'problem' ? (
            <FieldError key={text} className={styles.bldProblem}>
              {text}
            </FieldError>
          ) : (
            <span key={text} className={styles.bldHint}>
              <Icon of={Info} size="s" />
              {text}
            </span>
          ),
        )}
      </div>
      <div role="gridcell" className={styles.cText} title={description}>
        <span className={isExpression ? 'mono trunc' : 'trunc'}>{description}</span>
      </div>
      <div role="gridcell" className={styles.cSla}>
        {formatSla(step.sla)}
      </div>
      <div role="gridcell" className={styles.cRole} title={roleOf(step)}>
        <span className="trunc">{role}</span>
      </div>
      <div role="gridcell" className={styles.cActs}>
        <IconButton
          label={readOnly ? `View step ${number}` : `Edit step ${number}`}
          title={readOnly ? 'View step' : 'Edit step'}
          icon={readOnly ? Eye : Pencil}
          size="sm"
          tabIndex={active ? 0 : -1}
          onClick={() => grid.openStep(step.id)}
        />
        {!readOnly && (
          <>
            <IconButton
              label={`Duplicate step ${number}`}
              title="Duplicate step"
              icon={Copy}
              size="sm"
              className={styles.wideOnly}
              tabIndex={active ? 0 : -1}
              onClick={() => grid.duplicate(step.id)}
            />
            <IconButton
              label={`Remove step ${number}`}
              title="Remove step"
              icon={Trash2}
              tone="quiet-danger"
              size="sm"
              tabIndex={active ? 0 : -1}
              onClick={() => grid.remove(step.id)}
            />
          </>
        )}
      </div>
    </>
  );
});
