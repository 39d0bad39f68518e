import type { EditorField, EditorRow } from '@stet/domain/workflows';
import { Button } from '../../../../ui/button.tsx';
import { classNames } from '../../../../ui/class-names.ts';

type PrevRowProps = {
  rowIndex: number;
  number: number;
  before: EditorRow;
  fields: readonly EditorField[];
  onClear: () => void;
};

/** What a changed row said before. Cells that didn't change are quiet. */
export function PrevRow({ rowIndex, number, before, fields, onClear }: PrevRowProps) {
  const classOf = (name: string, field: EditorField) => classNames(name, !fields.includes(field) && 'same');
  return (
    <div className="step-row prev" role="row" aria-rowindex={rowIndex} aria-label={`Before the change, step ${number}`}>
      <div className="h" role="presentation" />
      <div className="n" role="rowheader" aria-colindex={2}>
        Prev
      </div>
      <div className={classOf('s', 'step')} role="gridcell" aria-colindex={3}>
        {before.step}
      </div>
      <div className={classOf('a', 'assignee')} role="gridcell" aria-colindex={4}>
        <span className="trunc" title={before.assignee}>
          {before.assignee}
        </span>
      </div>
      <div className={classOf('l', 'sla')} role="gridcell" aria-colindex={5}>
        {before.sla}
      </div>
      <div className={classOf('t', 'task')} role="gridcell" aria-colindex={6}>
        <span className="was">{before.task}</span>
        <Button size="sm" onClick={onClear}>
          Clear diff
        </Button>
      </div>
    </div>
  );
}
