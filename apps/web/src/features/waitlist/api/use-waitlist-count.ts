import { useEffect, useState } from 'react';
import { countWaitlist } from './waitlist-calls.ts';

/** `unknown`: the server didn't say; no number is shown then, never a made-up one. */
export type WaitlistCount = { state: 'loading' } | { state: 'known'; count: number } | { state: 'unknown' };

/** How many are on the waitlist, asked again whenever `joined` changes; until the new answer the old one stands. */
export function useWaitlistCount(joined: number): WaitlistCount {
  const [answer, setAnswer] = useState<WaitlistCount>({ state: 'loading' });
  useEffect(() => {
    const leaving = new AbortController();
    countWaitlist(leaving.signal).then(
      (count) => setAnswer(Number.isSafeInteger(count) ? { state: 'known', count } : { state: 'unknown' }),
      () => {
        if (!leaving.signal.aborted) setAnswer((before) => (before.state === 'known' ? before : { state: 'unknown' }));
      },
    );
    return () => leaving.abort();
  }, [joined]);
  return answer;
}
