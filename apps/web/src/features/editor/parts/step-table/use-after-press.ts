import { useCallback, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/**
 * Runs what leaving a cell leads to once no mouse button is held: a comparison row that came under the pointer between
 * press and release would swallow the click. It is done before the click is heard, so that a click on Save saves it.
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
