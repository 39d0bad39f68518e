import { formatSla } from '@stet/domain/sla';
import type { Step } from '@stet/domain/steps';
import { type EditorField } from '@stet/domain/workflows';
import { Ellipsis } from 'lucide-react';
import { memo } from 'react';
import type { Person } from '../../../lib/session/use-members.ts';
import { Who } from '../../../ui/avatar.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { StepTypeIcon } from '../../../step-types/step-type.tsx';
import type { AssigneeSuggestion } from '../model/assignee-suggestions.ts';
import { cellProblem } from '../model/cell-problem.ts';
import { typedSla } from '../model/document.ts';
import type { GridColumn } from '../grid/grid-position.ts';
import type { RowChange } from '../model/row-changes.ts';
import { CommentMark } from '../components/step-comments.tsx';
import { AssigneeEditor } from './assignee-editor.tsx';
import { RowMenu } from './row-menu.tsx';
import type { RowMenuAction } from './row-menu.tsx';
import { SlaEditor } from './sla-editor.tsx';
import { StepCell } from './step-cell.tsx';
import { TextEditor } from './text-editor.tsx';
import { useCellFocus } from '../grid/use-cell-focus.ts';
import type { OpenPart, StepGrid } from '../grid/use-step-grid.ts';
import styles from './step-table.module.css';

export type StepRowProps = {
  step: Step;
  /** The step's number, starting at 1. */
  number: number;
  count: number;
  change: RowChange;
  /** The number of open comments on the step. */
  comments: number;
  /** The column of the cell that is the Tab stop, if that cell is in this row. */
  activeColumn: GridColumn | null;
  /** Changes when the active cell should receive the focus. */
  request: number;
  /** The editor or menu that is open in this row. */
  open: OpenPart | null;
  readOnly: boolean;
  suggestions: readonly AssigneeSuggestion[];
  personOf: (assignee: string) => Person;
  grid: StepGrid;
};

/** A row except its handle. It is memoized, so that it only rerenders if one of its props changes. */
export const StepRow = memo(function StepRow(props: StepRowProps) {
  const { step, number, change, comments, activeColumn, open, readOnly, suggestions, personOf, grid } = props;
  const editing = open?.part === 'editor' ? open : null;
  const cell = (field: EditorField) => ({
    field,
    changed: change.kind === 'added' || (change.kind === 'modified' && change.shown && change.fields.includes(field)),
    active: activeColumn === field,
    editing: editing?.field === field,
    readOnly,
    problem: cellProblem(step, field),
    stepId: step.id,
    grid,
  });
  const editor = (field: EditorField) => ({
    label: `Step ${number}, ${field === 'step' ? 'name' : field}`,
    typed: editing?.typed ?? null,
    onCommit: (value: string, after: Parameters<StepGrid['commit']>[3]) => grid.commit(step.id, field, value, after),
    onCancel: grid.close,
  });
  // Typing in the cell enters text; Enter or a click opens the choices.
  const isSlaTyped = editing?.field === 'sla' && editing.typed !== null;
  return (
    <>
      <div className={styles.n} role="rowheader" aria-colindex={2}>
        {number}
      </div>
      <StepCell {...cell('step')} className={styles.s} colIndex={3}>
        {editing?.field === 'step' ? (
          <TextEditor {...editor('step')} value={step.title} multiline={false} />
        ) : (
          <span className={styles.stepName}>
            <span title={step.type}>
              <StepTypeIcon type={step.type} />
              <span className="vh">{step.type}: </span>
            </span>
            <b>{step.title}</b>
            <CommentMark count={comments} />
          </span>
        )}
      </StepCell>
      <StepCell {...cell('assignee')} className={styles.a} colIndex={4}>
        {editing?.field === 'assignee' ? (
          <AssigneeEditor {...editor('assignee')} value={step.assignee} suggestions={suggestions} />
        ) : (
          step.assignee !== '' && <Who className={styles.assignee} {...personOf(step.assignee)} />
        )}
      </StepCell>
      <StepCell {...cell('sla')} className={styles.l} colIndex={5}>
        {isSlaTyped ? (
          <TextEditor
            {...editor('sla')}
            value={step.sla}
            multiline={false}
            onCommit={(text, after) => grid.commit(step.id, 'sla', typedSla(text), after)}
          />
        ) : (
          formatSla(step.sla)
        )}
        {editing?.field === 'sla' && !isSlaTyped && (
          <SlaEditor {...editor('sla')} value={step.sla} onLeave={grid.leave} />
        )}
      </StepCell>
      <StepCell {...cell('task')} className={styles.t} colIndex={6}>
        {editing?.field === 'task' ? (
          <TextEditor {...editor('task')} value={step.description} multiline />
        ) : (
          step.description
        )}
      </StepCell>
      {!readOnly && <ActionsCell {...props} />}
    </>
  );
});

function ActionsCell({ step, number, count, activeColumn, open, grid }: StepRowProps) {
  const isActive = activeColumn === 'actions';
  const isOpen = open?.part === 'menu';
  const button = useCellFocus(isActive && !isOpen, grid, { stepId: step.id, column: 'actions' });
  const refused: Partial<Record<RowMenuAction, string>> = {
    ...(number === 1 && { 'move-up': 'This is the first step' }),
    ...(number === count && { 'move-down': 'This is the last step' }),
    ...(count === 1 && { delete: 'A workflow has at least one step' }),
  };
  const pick = (action: RowMenuAction) => {
    switch (action) {
      case 'details':
        return grid.openStep(step.id);
      case 'insert':
        return grid.addTyped(number);
      case 'duplicate':
        return grid.duplicate(step.id);
      case 'move-up':
        return grid.move(step.id, number - 2);
      case 'move-down':
        return grid.move(step.id, number);
      case 'delete':
        return grid.remove(step.id);
    }
  };
  return (
    <div className={styles.m} role="gridcell" aria-colindex={7}>
      <IconButton
        ref={button}
        label={`Actions for step ${number}`}
        icon={Ellipsis}
        size="sm"
        tabIndex={isActive ? 0 : -1}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onFocus={() => grid.activate(step.id, 'actions')}
        onClick={() => (isOpen ? grid.close() : grid.openMenu(step.id))}
      />
      {isOpen && (
        <RowMenu label={`Step ${number}`} refused={refused} onPick={pick} onClose={grid.close} onLeave={grid.leave} />
      )}
    </div>
  );
}
