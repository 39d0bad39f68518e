import { RefreshCw } from 'lucide-react';
import { counted, formatNumber } from '../../lib/format/number.ts';
import { formatClock } from '../../lib/format/time.ts';
import type { Organization } from '../../lib/session/signed-in.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from './runs-screen.module.css';

type RunsHeaderProps = {
  organization: Organization | null;
  /** The number of runs. Null while it is unknown. */
  count: number | null;
  /** How many runs match the filters. Null without filters. */
  listed: { rows: number; hasMore: boolean } | null;
  /** When the list was last known to be current, in epoch milliseconds. 0 before the first load. */
  currentAt: number;
  hasFailed: boolean;
  isRefreshing: boolean;
  onRefresh: () => void;
};

/**
 * The organization, the number of runs, and when they were last current. If a refresh fails, the rows stay and the
 * error is shown here.
 */
export function RunsHeader({
  organization,
  count,
  listed,
  currentAt,
  hasFailed,
  isRefreshing,
  onRefresh,
}: RunsHeaderProps) {
  return (
    <div className={classNames('head', styles.runsHead)}>
      <div>
        <h1 className="title">Runs</h1>
        <div className={classNames('sub xs', styles.sub)}>
          {organization && <span className="med two">{organization.name}</span>}
          {organization?.type === 'individual' && <Badge tone="plain">Individual Account</Badge>}
          {count !== null && <span>{countWords(count, listed)}</span>}
          {currentAt > 0 && <span>Last updated {formatClock(currentAt)}</span>}
          <span role="status" className={styles.failed}>
            {hasFailed && currentAt > 0 && 'Couldn’t refresh. This data is from then.'}
          </span>
        </div>
      </div>
      <div className={classNames('acts', styles.acts)}>
        <Button
          icon={RefreshCw}
          aria-keyshortcuts="Control+R Meta+R"
          aria-busy={isRefreshing || undefined}
          onClick={onRefresh}
        >
          <span className={styles.refreshWord}>Refresh</span>
        </Button>
      </div>
    </div>
  );
}

/** For example '128 runs'. With filters '2 of 128 runs', or '50+ of 128 runs' if more can be loaded. */
function countWords(count: number, listed: RunsHeaderProps['listed']): string {
  const all = counted(count, 'run');
  return listed === null ? all : `${formatNumber(listed.rows)}${listed.hasMore ? '+' : ''} of ${all}`;
}
