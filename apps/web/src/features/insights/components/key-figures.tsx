import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './insights.module.css';

export type KeyFigure = { name: string; value: string; behind: ReactNode; to?: string };

/** Figures with the number of runs behind each; a link leads to these runs. */
export function KeyFigures({ figures }: { figures: readonly KeyFigure[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, value, behind, to }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            <small>{to ? <Link to={to}>{behind}</Link> : behind}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}
