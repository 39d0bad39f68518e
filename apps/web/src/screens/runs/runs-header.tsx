import { RefreshCw } from 'lucide-react';
import { counted, formatNumber } from '../../lib/format/number.ts';
import { formatClock } from '../../lib/format/time.ts';
import type { Organization } from '../../lib/session/signed-in.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';

type RunsHeaderProps = {
  organization: Organization | null;
  /** How many runs there are; null until it is known. */
  count: number | null;
  /** What the filters leave of them; null where there are none. */
  listed: { rows: number; hasMore: boolean } | null;
  /** Milliseconds; 0 before the first load. */
  updatedAt: number;
  hasFailed: boolean;
  isRefreshing: boolean;
  onRefresh: () => void;
};

/** Whose runs, how many, how fresh. A failed refresh says so here and leaves the rows alone. */
export function RunsHeader({
  organization,
  count,
  listed,
  updatedAt,
  hasFailed,
  isRefreshing,
  onRefresh,
}: RunsHeaderProps) {
  return (
    <div className="head runs-head">
      <div>
        <h1 className="title">Runs</h1>
        <div className="sub xs">
          {organization && <span className="med two">{organization.name}</span>}
          {organization?.type === 'individual' && <Badge tone="plain">Individual Account</Badge>}
          {count !== null && <span>{countWords(count, listed)}</span>}
          {updatedAt > 0 && <span>Last updated {formatClock(updatedAt)}</span>}
          <span role="status" className="failed">
            {hasFailed && updatedAt > 0 && 'Refreshing failed; these are the rows from then.'}
          </span>
        </div>
      </div>
      <div className="acts">
        <Button
          icon={RefreshCw}
          aria-keyshortcuts="Control+R Meta+R"
          aria-busy={isRefreshing || undefined}
          onClick={onRefresh}
        >
          <span className="refresh-word">Refresh</span>
        </Button>
      </div>
    </div>
  );
}

/** '128 runs'; '2 of 128 runs' where filters are set, '50+ of 128 runs' where more can be loaded. */
function countWords(count: number, listed: RunsHeaderProps['listed']): string {
  const all = counted(count, 'run');
  return listed === null ? all : `${formatNumber(listed.rows)}${listed.hasMore ? '+' : ''} of ${all}`;
}
