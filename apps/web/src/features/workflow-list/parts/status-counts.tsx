import type { WorkflowCounts } from '@stet/contract';
import { STATUS_FILTERS } from '../model/list-filter.ts';
import type { ListStatus } from '../model/list-filter.ts';
import './status-counts.css';

type StatusCountsProps = {
  counts: WorkflowCounts | undefined;
  status: ListStatus;
  onPick: (status: ListStatus) => void;
};

/** The count cards; each narrows the list to its status. */
export function StatusCounts({ counts, status, onPick }: StatusCountsProps) {
  return (
    <div className="sheet counts" role="group" aria-label="Filter by status">
      {STATUS_FILTERS.map((each) => (
        <button
          key={each.status}
          type="button"
          className={`count-card ${each.status}`}
          aria-pressed={each.status === status}
          onClick={() => onPick(each.status)}
        >
          <b>{counts ? counts[each.status === 'all' ? 'total' : each.status] : '–'}</b>
          <span>{each.countWord}</span>
        </button>
      ))}
    </div>
  );
}
