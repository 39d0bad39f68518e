import { classNames } from './class-names.ts';
import styles from './segments.module.css';

export type Segment =
  | 'done'
  | 'done_late'
  | 'simulated'
  | 'active'
  | 'at_risk'
  | 'breached'
  | 'failed'
  | 'skipped'
  | 'todo';

/** A progress bar with a segment for each step. The label describes it, for example "3 of 9 steps completed". */
export function Segments({
  of,
  completed,
  label,
  large = false,
  className,
}: {
  of: readonly Segment[];
  completed: number;
  label: string;
  large?: boolean;
  className?: string | undefined;
}) {
  return (
    <div
      className={classNames(styles.segments, large && styles.large, of.length > 40 && styles.many, className)}
      role="progressbar"
      aria-valuemin={0}
      aria-valuenow={completed}
      aria-valuemax={of.length}
      aria-valuetext={label}
      aria-label="Progress"
    >
      {of.map((segment, at) => (
        <i key={at} className={segment === 'todo' ? undefined : styles[segment]} />
      ))}
    </div>
  );
}
