import { useEffect, useState } from 'react';
import { api } from './api/api.ts';

/** Whether a URL prefix is free. `unknown`: nothing was asked or nothing was answered; then creating it will tell. */
export type PrefixAvailability = 'unknown' | 'checking' | 'free' | 'taken';

// Long enough that typing doesn't ask with each letter.
const PAUSE_MS = 350;

/** Asks, once typing pauses, whether the URL prefix is free (specification, section 5). */
export function usePrefixAvailability(slug: string): PrefixAvailability {
  const [answer, setAnswer] = useState<{ slug: string; is: PrefixAvailability }>({ slug: '', is: 'unknown' });
  useEffect(() => {
    if (slug === '') return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      setAnswer({ slug, is: 'checking' });
      api('GET /api/auth/slug', { query: { slug }, anonymous: true, signal: abort.signal }).then(
        ({ available }) => setAnswer({ slug, is: available ? 'free' : 'taken' }),
        () => !abort.signal.aborted && setAnswer({ slug, is: 'unknown' }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [slug]);
  return answer.slug === slug && slug !== '' ? answer.is : 'unknown';
}
