import { Link } from 'react-router';
import styles from './insights.module.css';

export type KeyFigure = { name: string; value: string; behind: readonly Behind[] };
type Behind = { text: string; to?: string };

/** Figures, each with the numbers that it is based on. Such a number can be a link to the list of what it counts. */
export function KeyFigures({ figures }: { figures: readonly KeyFigure[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, value, behind }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {behind.map(({ text, to }) => (
              <small key={text}>{to ? <Link to={to}>{text}</Link> : text}</small>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
