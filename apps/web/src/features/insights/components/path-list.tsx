import type { WorkflowInsights } from '@stet/contract';
import { counted } from '../../../lib/format/number.ts';
import { percent } from '../model/insight-words.ts';
import styles from './insights.module.css';

type PathListProps = { paths: WorkflowInsights['paths']; titles: ReadonlyMap<string, string> };

/** The paths that completed runs took, with their shares. */
export function PathList({ paths: { listed, others, runs }, titles }: PathListProps) {
  return (
    <ul className={styles.paths} aria-label="Paths">
      {listed.map(({ stepIds, runs: count }) => (
        <li key={stepIds.join('\n')}>
          <b>{percent(count, runs)}</b> <span className="muted">{counted(count, 'run')}</span>
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
