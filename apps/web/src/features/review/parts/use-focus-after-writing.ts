import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/**
 * Once a form that was called for is gone, focus goes back to the button that called it, or, where that one made way for
 * the form, to the comment button of its card. To be called where the form is rendered.
 */
export function useFocusAfterWriting(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // While it is first rendered: afterwards the form's own text has the focus.
  const [caller] = useState(() => document.activeElement);
  useEffect(() => {
    const card = form.current?.closest('article');
    return () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const isThere = caller?.isConnected && caller !== document.body;
        const to = isThere ? caller : card?.querySelector('.cm');
        if (to instanceof HTMLElement) to.focus();
      });
    };
  }, [caller]);
  return form;
}
