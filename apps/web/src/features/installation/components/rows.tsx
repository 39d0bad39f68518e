import type { ReactNode } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { EmptyState, ErrorState } from '../../../ui/empty-state.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { CircleCheck } from 'lucide-react';
import styles from './installation.module.css';

type RowsProps<Row> = {
  /** The plural noun for the entries, in lower case, for example `people`. */
  what: string;
  query: { isPending: boolean; error: unknown; refetch: () => unknown };
  rows: readonly Row[] | undefined;
  /** The sentence shown if there are no rows. */
  none: string;
  children: (row: Row) => ReactNode;
};

/** A list on the installation screen, with its loading, error and empty states. */
export function Rows<Row>({ what, query, rows, none, children }: RowsProps<Row>) {
  if (query.isPending)
    return (
      <div className="sheet">
        <SkeletonRows rows={4} label={`Loading ${what}`} />
      </div>
    );
  if (!rows)
    return (
      <ErrorState title={`Failed to load ${what}`} onRetry={() => void query.refetch()}>
        {errorSentence(query.error, 'An error occurred')}
      </ErrorState>
    );
  if (rows.length === 0) return <EmptyState icon={CircleCheck} title={none} />;
  return (
    <div className="sheet" role="list" aria-label={what}>
      {rows.map(children)}
    </div>
  );
}

export function Row({ name, facts, actions }: { name: ReactNode; facts: ReactNode; actions?: ReactNode }) {
  return (
    <div className={styles.row} role="listitem">
      <div className={styles.text}>
        <b>{name}</b>
        <p className="two">{facts}</p>
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** Names the commands for tasks that can't be done on this page. */
export const ByCommand = ({ children }: { children: ReactNode }) => <p className="two">{children}</p>;
