import type { WorkflowInsights } from '@stet/contract';
import { Link } from 'react-router';
import { counted } from '../../../lib/format/number.ts';
import { percent } from '../model/insight-words.ts';
import type { RunsLink } from '../model/runs-link.ts';
import styles from './insights.module.css';

type PathListProps = { paths: WorkflowInsights['paths']; titles: ReadonlyMap<string, string>; toRuns: RunsLink };

/** The paths that completed runs took, with their shares. */
export function PathList({ paths: { listed, others, runs }, titles, toRuns }: PathListProps) {
  return (
    <ul className={styles.paths} aria-label="Paths">
      {listed.map(({ id: pathId, stepIds, runs: count }) => (
        <li key={pathId}>
          <b>{percent(count, runs)}</b> <Link to={toRuns({ figure: `path:${pathId}` })}>{counted(count, 'run')}</Link>
          <div>{stepIds.map((id) => titles.get(id) ?? id).join(' → ')}</div>
          <div className={styles.share} aria-hidden="true">
            <span style={{ width: `${(100 * count) / runs}%` }} />
          </div>
        </li>
      ))}
      {others > 0 && (
        <li>
          <b>{percent(others, runs)}</b> <span className="muted">{counted(others, 'run')} on other paths</span>
        </li>
      )}
    </ul>
  );
}
