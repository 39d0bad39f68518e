import { classNames } from './class-names.ts';
import './segments.css';

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

/** A segment for each step. The label says the same, for example "3 of 9 steps completed". */
export function Segments({
  of,
  completed,
  label,
  large = false,
}: {
  of: readonly Segment[];
  completed: number;
  label: string;
  large?: boolean;
}) {
  return (
    <div
      className={classNames('segs', large && 'large', of.length > 40 && 'many')}
      role="progressbar"
      aria-valuemin={0}
      aria-valuenow={completed}
      aria-valuemax={of.length}
      aria-valuetext={label}
      aria-label="Progress"
    >
      {of.map((segment, at) => (
        <i key={at} className={segment === 'todo' ? undefined : segment} />
      ))}
    </div>
  );
}
