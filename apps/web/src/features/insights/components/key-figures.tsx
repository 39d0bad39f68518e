import { Link } from 'react-router';
import styles from './insights.module.css';

export type KeyFigure = { name: string; value: string; behind: readonly Behind[] };
type Behind = { text: string; to?: string };

/** Figures with the numbers of runs behind each; a link leads to these runs. */
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
