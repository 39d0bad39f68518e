import { durationInWords, exactDuration } from '@stet/presentation/duration-in-words';
import type { ReactNode } from 'react';
import { formatExact } from '../lib/format/time.ts';

/** A formatted time with seconds in its tooltip. `at` is in ISO 8601. */
export function Moment({ at, className, children }: { at: string; className?: string; children: ReactNode }) {
  return (
    <time className={className} dateTime={at} title={formatExact(at)}>
      {children}
    </time>
  );
}

type DurationProps = { ms: number | null | undefined; finest?: 'minutes' | 'seconds' };

/** A rounded duration. Its tooltip is exact to the second. */
export function Duration({ ms, finest }: DurationProps) {
  const words = durationInWords(ms, finest);
  if (ms === null || ms === undefined || words === '—') return <>{words}</>;
  const seconds = Math.floor(ms / 1000);
  return (
    <time className="nowrap" dateTime={`PT${seconds}S`} title={exactDuration(seconds * 1000)}>
      {words}
    </time>
  );
}
