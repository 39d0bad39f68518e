import { useCallback, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/**
 * Defers the effect of leaving a cell until no mouse button is pressed: a comparison row that appears under the pointer
 * between press and release would swallow the click. It runs before the click handler, so that a click on Save saves
 * it.
 */
export function useAfterPress(): (act: () => void) => void {
  const isHeld = useRef(false);
  useEffect(() => {
    const press = () => {
      isHeld.current = true;
    };
    const release = () => {
      isHeld.current = false;
    };
    window.addEventListener('pointerdown', press, true);
    for (const end of ENDS) window.addEventListener(end, release, true);
    return () => {
      window.removeEventListener('pointerdown', press, true);
      for (const end of ENDS) window.removeEventListener(end, release, true);
    };
  }, []);
  return useCallback((act) => {
    if (!isHeld.current) return act();
    const once = () => {
      for (const end of ENDS) window.removeEventListener(end, once, true);
      flushSync(act);
    };
    for (const end of ENDS) window.addEventListener(end, once, true);
  }, []);
}

const ENDS = ['pointerup', 'pointercancel'] as const;
