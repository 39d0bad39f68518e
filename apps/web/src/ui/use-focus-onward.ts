import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/**
 * If a person's own action removes the focused element of a region, moves the focus to its replacement instead of the
 * start of the page. An example is the panel of a step that was just completed. `onward` contains selectors; the first
 * one that matches is used. The component must rerender when the element is removed.
 */
export function useFocusOnward<T extends HTMLElement>(onward: readonly [string, ...string[]]): RefObject<T | null> {
  const region = useRef<T>(null);
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const came = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      if (region.current?.contains(target)) last.current = target;
      // Focus inside a dialog doesn't count as leaving, because the focus returns to the element that opened the
      // dialog.
      else if (!target.closest('[role="dialog"]')) last.current = null;
    };
    const went = ({ target }: FocusEvent) => {
      // The focus may have moved to the body because of a click outside the element. If the element was removed
      // instead, it is no longer in the page after this delay.
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
    // Deferred, because a closing layer may return the focus to the element that opened it.
    setTimeout(() => document.activeElement === document.body && others.some(goTo));
  });
  return region;
}
