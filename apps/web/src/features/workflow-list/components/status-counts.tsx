import type { WorkflowCounts } from '@stet/contract';
import { STATUS_FILTERS } from '../model/list-filter.ts';
import type { ListStatus } from '../model/list-filter.ts';
import { Pressable } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './status-counts.module.css';

type StatusCountsProps = {
  counts: WorkflowCounts | undefined;
  status: ListStatus;
  onPick: (status: ListStatus) => void;
};

/** Cards that show the number of workflows by status. Each card filters the list. */
export function StatusCounts({ counts, status, onPick }: StatusCountsProps) {
  return (
    <div className={classNames('sheet', styles.counts)} role="group" aria-label="Filter by status">
      {STATUS_FILTERS.map((each) => (
        <Pressable
          key={each.status}
          className={classNames(styles.countCard, styles[each.status])}
          aria-pressed={each.status === status}
          onClick={() => onPick(each.status)}
        >
          <b>{counts ? counts[each.status === 'all' ? 'total' : each.status] : '–'}</b>
          <span>{each.countWord}</span>
        </Pressable>
      ))}
    </div>
  );
}
