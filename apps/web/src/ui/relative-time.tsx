import { relativeTime } from '../lib/format/time.ts';
import type { SmallestUnit } from '../lib/format/time.ts';
import { useNow } from '../lib/use-now.ts';
import { Moment } from './moment.tsx';

type RelativeTimeProps = {
  at: string;
  /** The server's time in milliseconds, if it is known. */
  now?: number;
  /** The smallest unit. A run's start is shown in hours (specification, section 2). */
  finest?: SmallestUnit;
};

/** 'just now', '5 min ago', '3h ago' or '2d ago', with the exact time in the tooltip. */
export function RelativeTime({ at, now, finest = 'minutes' }: RelativeTimeProps) {
  const here = useNow(30_000);
  return <Moment at={at}>{relativeTime(at, now ?? here, finest)}</Moment>;
}
