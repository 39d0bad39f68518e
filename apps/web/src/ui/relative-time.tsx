import { formatClock, formatDate, relativeTime } from '../lib/format/time.ts';
import { useNow } from '../lib/use-now.ts';

/** 'Just now', '3h ago', '2d ago'; the exact moment on hover. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(30_000);
  return (
    <time dateTime={at} title={`${formatDate(at)}, ${formatClock(at)}`}>
      {relativeTime(at, now)}
    </time>
  );
}
