import { useEffect, useState } from 'react';
import { api } from './api/api.ts';

/** Whether a URL prefix is free. `unknown`: not asked, or no response; creating the organization will tell. */
export type PrefixAvailability = 'unknown' | 'checking' | 'free' | 'taken';

// Long enough not to send a request per letter.
const PAUSE_MS = 350;

/** Checks, once typing pauses, whether the URL prefix is free (specification, section 5). */
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
