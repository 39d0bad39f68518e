import { useEffect, useState } from 'react';
import { api } from './api/api.ts';

/**
 * Whether a URL prefix is free. `unknown`: not checked, or the check failed. Creating the organization checks it again.
 */
export type PrefixAvailability = 'unknown' | 'checking' | 'free' | 'taken';

// Avoids a request for each letter.
const PAUSE_MS = 350;

/** Checks whether the URL prefix is free once the person stops typing (specification, section 5). */
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
