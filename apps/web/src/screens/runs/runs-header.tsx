import type { OkOf } from '@stet/contract';
import { Play, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { StartRunDialog } from '../../features/start-run/components/start-run-dialog.tsx';
import { counted, formatNumber } from '../../lib/format/number.ts';
import { formatClock } from '../../lib/format/time.ts';
import type { Organization } from '../../lib/session/signed-in.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from './runs-screen.module.css';

type StartableWorkflow = { key: string; title: string };

type RunsHeaderProps = {
  organization: Organization | null;
  /** The numbers of runs, or null until they have loaded. */
  count: OkOf<'GET /api/runs/summary'> | null;
  /** The workflows of which the person can start runs. */
  startable: readonly StartableWorkflow[];
  /** The workflow that the list is filtered by. */
  onlyWorkflow: StartableWorkflow | null;
  /** The number of matching runs that have loaded, and whether there are more. Null without filters or loaded runs. */
  listed: { rows: number; hasMore: boolean } | null;
  /** When the list was last known to be current, in epoch milliseconds. 0 before the first load. */
  currentAt: number;
  hasFailed: boolean;
  isRefreshing: boolean;
  onRefresh: () => void;
};

/**
 * The organization, the number of runs, when the list was last current, and buttons to start a run and to refresh. If a
 * refresh fails, the rows stay and the error is shown here.
 */
export function RunsHeader({
  organization,
  count,
  startable,
  onlyWorkflow,
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
          {count !== null && <span>{countWords(count.total, listed)}</span>}
          {/* These numbers count all runs, so they would contradict filtered rows. */}
          {count !== null && listed === null && <span>{attentionWords(count)}</span>}
          {currentAt > 0 && <span>Last updated {formatClock(currentAt)}</span>}
          <span role="status" className={styles.failed}>
            {hasFailed && currentAt > 0 && 'Couldn’t refresh the list. It may be out of date.'}
          </span>
        </div>
      </div>
      <div className={classNames('actions', styles.actions)}>
        <StartRun startable={startable} only={onlyWorkflow} />
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

/** Starts a run of the workflow that the list is filtered by, or of one chosen from a menu. */
function StartRun({ startable, only }: { startable: readonly StartableWorkflow[]; only: StartableWorkflow | null }) {
  const [starting, setStarting] = useState<StartableWorkflow | null>(null);
  if (startable.length === 0) return null;
  const known = only && startable.find(({ key }) => key === only.key);
  return (
    <>
      {known ? (
        <Button tone="primary" icon={Play} onClick={() => setStarting(known)}>
          Start run
        </Button>
      ) : (
        <Menu
          target={
            <Button tone="primary" icon={Play}>
              Start run
            </Button>
          }
          groups={[
            { entries: startable.map((workflow) => ({ label: workflow.title, onPick: () => setStarting(workflow) })) },
          ]}
        />
      )}
      {starting && <StartRunDialog workflow={starting} onClose={() => setStarting(null)} />}
    </>
  );
}

/** For example '1 failed · 3 breached · 5 at risk · 78 on track'. Zeros are omitted. */
function attentionWords({ byStatus, bySla }: OkOf<'GET /api/runs/summary'>): string {
  const parts = [
    [byStatus.failed, 'failed'],
    [bySla.breached, 'breached'],
    [bySla.at_risk, 'at risk'],
    [bySla.on_track, 'on track'],
  ] as const;
  return parts.flatMap(([count, word]) => (count ? [`${formatNumber(count)} ${word}`] : [])).join(' · ');
}

/** For example '128 runs'. With filters '2 of 128 runs', or '50+ of 128 runs' if more can be loaded. */
function countWords(count: number, listed: RunsHeaderProps['listed']): string {
  const all = counted(count, 'run');
  return listed === null ? all : `${formatNumber(listed.rows)}${listed.hasMore ? '+' : ''} of ${all}`;
}
