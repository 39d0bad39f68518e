import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import styles from './run-views.module.css';

type RunViewsProps = { current: 'list' | 'insights'; workflow: string; version: string };

/** The views of runs: the list, and figures about them. The links keep the filters for workflow and version. */
export function RunViews({ current, workflow, version }: RunViewsProps) {
  const query = { workflow, version };
  const views = [
    { view: 'list', label: 'List', to: paths.runsWhere(query) },
    { view: 'insights', label: 'Insights', to: paths.insights(query) },
  ] as const;
  return (
    <nav className={styles.views} aria-label="Views of runs">
      {views.map(({ view, label, to }) => (
        <Link key={view} to={to} aria-current={view === current ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
