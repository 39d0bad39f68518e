import { useEffect } from 'react';
import { useBlocker } from 'react-router';

/** A navigation with this state isn't blocked: only the address or view changes, or the document no longer exists. */
export const SAME_DOCUMENT = { sameDocument: true } as const;

const staysWithDocument = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'sameDocument' in state && state.sameDocument === true;

/** Blocks every way of leaving the screen while there are unsaved changes: links, Back, and closing the tab. */
export function useLeaveGuard(active: boolean): { stay: () => void; leave: () => void } | null {
  const blocker = useBlocker(({ nextLocation }) => active && !staysWithDocument(nextLocation.state));
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [active]);
  return blocker.state === 'blocked' ? { stay: () => blocker.reset(), leave: () => blocker.proceed() } : null;
}
