import { useDroppable } from '@dnd-kit/core';
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import type { Step } from '@stet/domain/steps';
import { ListPlus } from 'lucide-react';
import { memo, useCallback, useImperativeHandle, useMemo } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { usePeople } from '../../../../lib/session/use-members.ts';
import { classNames } from '../../../../ui/class-names.ts';
import { Icon } from '../../../../ui/icon.tsx';
import type { ReviewState } from '../../model/review-state.ts';
import type { StepNotes } from '../model/step-notes.ts';
import { branchWords, descriptionOf, roleOf, shortNames, titleOf } from '../model/step-words.ts';
import { BuilderRow } from './builder-row.tsx';
import { TABLE_ZONE } from '../../grid/use-step-drag.ts';
import type { StepGrid, StepGridState } from '../../grid/use-step-grid.ts';
import { useScrolledRows } from '../../grid/use-virtual-rows.ts';
import type { VirtualRows } from '../../grid/use-virtual-rows.ts';
import styles from './builder-table.module.css';

type BuilderTableProps = {
  steps: readonly Step[];
  /** The steps that rows are compared with to mark changes, by id. */
  baseById: ReadonlyMap<string, Step>;
  comments: ReviewState['comments'];
  notes: StepNotes;
  activeId: string | null;
  /** Changes when the active row should take the focus. */
  request: number;
  readOnly: boolean;
  /** Whether a row or a palette entry is being dragged. Keys then control the drag. */
  dragging: boolean;
  /** The row being dragged. It stays mounted even if it is scrolled out of view. */
  draggedId: string | null;
  /** The row before which a palette entry would be dropped. Null if no entry is over the table. */
  dropAt: number | null;
  keyOf: StepGridState['keyOf'];
  grid: StepGrid;
  /** Receives a function that scrolls a row into view. */
  scrolling: RefObject<((row: number) => void) | null>;
};

const HEADS = ['#', 'Type', 'Title', 'Description', 'SLA', 'Role', 'Actions'] as const;
const HEAD_CLASS: Partial<Record<(typeof HEADS)[number], string | undefined>> = {
  Description: styles.cText,
  Actions: styles.cActs,
};
const PAGE_ROWS = 10;

/**
 * The steps as a grid; the first cell of each row takes the focus for its row. Only visible, active or dragged rows are
 * mounted.
 */
export const BuilderTable = memo(function BuilderTable(props: BuilderTableProps) {
  const { steps, baseById, notes, comments, activeId, request, readOnly, dragging, draggedId, dropAt } = props;
  const { keyOf, grid, scrolling } = props;
  const ids = useMemo(() => steps.map(({ id }) => id), [steps]);
  // The table calls this hook itself. If a parent called it, scrolling would rerender the parent.
  const virtual = useScrolledRows({ ids, keyOf, kept: [activeId, draggedId] });
  const { scrollToRow } = virtual;
  useImperativeHandle(scrolling, () => scrollToRow, [scrollToRow]);
  const names = useMemo(() => shortNames(steps), [steps]);
  const values = useMemo(() => {
    const titles = new Map(steps.map((step) => [step.id, titleOf(step)]));
    return { steps, titleOf: (id: string) => titles.get(id) ?? 'a removed step' };
  }, [steps]);
  const { personOf } = usePeople();
  const { setNodeRef } = useDroppable({ id: TABLE_ZONE });
  const { attach } = virtual;
  const setRefs = useCallback(
    (node: HTMLDivElement | null) => {
      attach(node);
      setNodeRef(node);
    },
    [attach, setNodeRef],
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (dragging || event.defaultPrevented || !(event.target instanceof HTMLElement)) return;
    const row = ids.indexOf(event.target.closest<HTMLElement>('[data-step]')?.dataset['step'] ?? '');
    const id = ids[row];
    if (id === undefined) return;
    const act = actionOf(event, { row, count: ids.length, readOnly, onCell: event.target.role === 'gridcell' });
    if (act === null) return;
    event.preventDefault();
    if (act.do === 'focus') grid.focusCell({ row: act.row });
    else if (act.do === 'move') grid.move(id, act.row);
    else if (act.do === 'open') grid.openStep(id);
    else grid.remove(id);
  };
  // Until a row has been active, Tab focuses the first row.
  const tabStop = activeId ?? ids[0] ?? null;
  return (
    <div className={styles.bldWork} ref={setRefs}>
      <div
        className={classNames('sheet', styles.bldTable, readOnly && styles.readOnly)}
        role="grid"
        tabIndex={-1}
        aria-label="Steps"
        aria-rowcount={steps.length + 1}
        aria-colcount={HEADS.length}
        aria-readonly={readOnly || undefined}
        aria-describedby="builder-keys"
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className={styles.bldHead}>
          <div role="row" aria-rowindex={1} className={styles.bldCols}>
            {HEADS.map((head) => (
              <div key={head} role="columnheader" className={HEAD_CLASS[head]}>
                {head}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={styles.bldBody} style={{ height: virtual.height }}>
          <SortableContext items={ids} strategy={verticalListSortingStrategy}>
            {virtual.rows.map(({ index, top }) => {
              const step = steps[index];
              if (!step) return null;
              const description = descriptionOf(step, values);
              return (
                <BuilderRow
                  key={keyOf(step.id)}
                  step={step}
                  index={index}
                  top={top}
                  active={step.id === tabStop}
                  request={step.id === tabStop ? request : 0}
                  changed={!readOnly && baseById.get(step.id) !== step}
                  comments={comments.get(step.id)?.length ?? 0}
                  branch={branchWords(step, steps[index + 1], (id) => names.get(id) ?? 'a removed step')}
                  description={description.text}
                  isExpression={description.isExpression}
                  role={personOf(roleOf(step)).name}
                  notes={notes.get(step.id)}
                  readOnly={readOnly}
                  grid={grid}
                  measure={virtual.measure}
                />
              );
            })}
          </SortableContext>
          {dropAt !== null && <div className={styles.bldDrop} style={{ top: topOf(dropAt, virtual) }} />}
        </div>
        {steps.length === 0 && (
          <div className={classNames(styles.bldNone, dropAt !== null && styles.over)}>
            <Icon of={ListPlus} size="l" />
            <p className="title-sm">No steps yet</p>
            {!readOnly && <p>Drag a step type here, or click one.</p>}
          </div>
        )}
      </div>
      <p className="vh" id="builder-keys">
        {readOnly
          ? 'Up and Down move between rows, Enter shows a step.'
          : 'Up and Down move between rows, Enter edits a step, Alt with Up or Down moves it, Delete removes it.'}
      </p>
    </div>
  );
});

function topOf(row: number, { rows, height }: VirtualRows): number {
  return rows.find(({ index }) => index === row)?.top ?? height;
}

type RowAction = { do: 'focus' | 'move'; row: number } | { do: 'open' | 'remove' };

function actionOf(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  { row, count, readOnly, onCell }: { row: number; count: number; readOnly: boolean; onCell: boolean },
): RowAction | null {
  if (ctrlKey || metaKey) return null;
  if (altKey) {
    if (readOnly || (key !== 'ArrowUp' && key !== 'ArrowDown')) return null;
    return { do: 'move', row: row + (key === 'ArrowUp' ? -1 : 1) };
  }
  switch (key) {
    case 'ArrowUp':
      return { do: 'focus', row: row - 1 };
    case 'ArrowDown':
      return { do: 'focus', row: row + 1 };
    case 'PageUp':
      return { do: 'focus', row: row - PAGE_ROWS };
    case 'PageDown':
      return { do: 'focus', row: row + PAGE_ROWS };
    case 'Home':
      return { do: 'focus', row: 0 };
    case 'End':
      return { do: 'focus', row: count - 1 };
    case 'Enter':
    case 'F2':
      // If a button in the row has the focus, it handles the key.
      return onCell ? { do: 'open' } : null;
    case 'Delete':
    case 'Backspace':
      return onCell && !readOnly ? { do: 'remove' } : null;
    default:
      return null;
  }
}
