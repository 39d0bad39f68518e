import { relativeTime } from '../lib/format/time.ts';
import { useNow } from '../lib/use-now.ts';
import { Moment } from './moment.tsx';

/** 'Just now', '3h ago', '2d ago'; the exact moment on hover. `now`: the server's clock in milliseconds, where it is known. */
export function RelativeTime({ at, now }: { at: string; now?: number }) {
  const here = useNow(30_000);
  return <Moment at={at}>{relativeTime(at, now ?? here)}</Moment>;
}
