import type { EditorField, EditorRow } from '@stet/domain/workflows';
import type { Person } from '../../../lib/session/use-members.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './step-table.module.css';

type PrevRowProps = {
  rowIndex: number;
  number: number;
  before: EditorRow;
  fields: readonly EditorField[];
  personOf: (assignee: string) => Person;
  onClear: () => void;
};

/** The previous values of a changed row. Unchanged cells are dimmed. */
export function PrevRow({ rowIndex, number, before, fields, personOf, onClear }: PrevRowProps) {
  const classOf = (name: string | undefined, field: EditorField) =>
    classNames(name, !fields.includes(field) && styles.same);
  return (
    <div
      className={classNames(styles.stepRow, styles.prev)}
      role="row"
      aria-rowindex={rowIndex}
      aria-label={`Before the change, step ${number}`}
    >
      <div className={styles.h} role="presentation" />
      <div className={styles.n} role="rowheader" aria-colindex={2}>
        Prev
      </div>
      <div className={classOf(styles.s, 'step')} role="gridcell" aria-colindex={3}>
        {before.step}
      </div>
      <div className={classOf(styles.a, 'assignee')} role="gridcell" aria-colindex={4}>
        <span className="trunc" title={before.assignee}>
          {personOf(before.assignee).name}
        </span>
      </div>
      <div className={classOf(styles.l, 'sla')} role="gridcell" aria-colindex={5}>
        {before.sla}
      </div>
      <div className={classOf(styles.t, 'task')} role="gridcell" aria-colindex={6}>
        <span className={styles.was}>{before.task}</span>
        <Button size="sm" onClick={onClear}>
          Clear diff
        </Button>
      </div>
    </div>
  );
}
