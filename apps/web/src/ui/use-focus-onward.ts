import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/**
 * Where a person's own act takes away what had the focus in a region, such as the panel of a step that is done, focus goes
 * on to what stands there now instead of falling back to the start of the page. `onward`: selectors, the first that finds
 * something counts. For a component that renders when that happens.
 */
export function useFocusOnward<T extends HTMLElement>(onward: readonly [string, ...string[]]): RefObject<T | null> {
  const region = useRef<T>(null);
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const came = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      if (region.current?.contains(target)) last.current = target;
      // A dialog asks on behalf of what opened it.
      else if (!target.closest('[role="dialog"]')) last.current = null;
    };
    const went = ({ target }: FocusEvent) => {
      // By a click beside it, say; what is taken away is not in the page any more by then.
      setTimeout(() => {
        const isLeft = target === last.current && last.current?.isConnected;
        if (isLeft && document.activeElement === document.body) last.current = null;
      });
    };
    document.addEventListener('focusin', came);
    document.addEventListener('focusout', went);
    return () => {
      document.removeEventListener('focusin', came);
      document.removeEventListener('focusout', went);
    };
  }, []);
  useEffect(() => {
    if (!last.current || last.current.isConnected || document.activeElement !== document.body) return;
    last.current = null;
    const [first, ...others] = onward;
    const goTo = (selector: string): boolean => {
      const next = region.current?.querySelector<HTMLElement>(selector);
      if (!next) return false;
      next.tabIndex = -1;
      next.focus();
      return true;
    };
    if (goTo(first)) return;
    // A moment later: a layer that went away may give focus back to what opened it.
    setTimeout(() => document.activeElement === document.body && others.some(goTo));
  });
  return region;
}
