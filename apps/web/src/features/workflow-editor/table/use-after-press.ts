import { useCallback, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/**
 * Runs an action or, if the pointer is pressed, defers it until the release. Leaving a cell can make a comparison row
 * appear. If it appeared under the pointer between press and release, the click would be lost. The action still runs
 * before the click handler, so that a click on Save includes the cell.
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
