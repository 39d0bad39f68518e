import { classNames } from './class-names.ts';
import { percent, sparkPoints } from './spark-points.ts';
import styles from './sparkline.module.css';

/**
 * The share of its SLA that each completed step used. The dashed line is the target, and the color of the last dot
 * shows the SLA state.
 */
export function Sparkline({ shares, state }: { shares: readonly number[]; state: string | null }) {
  if (shares.length === 0)
    return (
      <span className="muted" title="No step with an SLA has been completed yet">
        —
      </span>
    );
  const points = sparkPoints(shares);
  const last = points.at(-1);
  return (
    <svg
      className={classNames(styles.spark, state && styles[state])}
      viewBox="0 0 88 24"
      role="img"
      aria-label={`Share of SLA used per step: ${shares.map(percent).join(', ')}`}
    >
      <path className={styles.target} d="M2 8.2H84" />
      <polyline className={styles.line} points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {last && <circle className={styles.end} cx={last.x} cy={last.y} r="2.6" />}
    </svg>
  );
}
