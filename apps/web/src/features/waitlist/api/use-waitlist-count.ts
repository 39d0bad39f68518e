import { useEffect, useState } from 'react';
import { countWaitlist } from './waitlist-calls.ts';

/** `unknown`: the request failed or returned no valid number, so none is shown. */
export type WaitlistCount = { state: 'loading' } | { state: 'known'; count: number } | { state: 'unknown' };

/**
 * The number of people on the waitlist. It is refetched when `joined` changes. Until the response, or if the request
 * fails, the previous number stays.
 */
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
