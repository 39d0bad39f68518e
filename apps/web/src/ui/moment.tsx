import type { ReactNode } from 'react';
import { formatExact } from '../lib/format/time.ts';

/** A moment in the words of where it stands; to the second on hover. `at`: ISO 8601. */
export function Moment({ at, className, children }: { at: string; className?: string; children: ReactNode }) {
  return (
    <time className={className} dateTime={at} title={formatExact(at)}>
      {children}
    </time>
  );
}
