import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/**
 * When a comment form closes, returns the focus to the button that opened it or, if the form replaced that button, to
 * the comment button of its card. Call it where the form is rendered.
 */
export function useFocusAfterWriting(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // Read during the first render: afterwards the form's text field has the focus.
  const [caller] = useState(() => document.activeElement);
  useEffect(() => {
    const card = form.current?.closest('article');
    return () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const isThere = caller?.isConnected && caller !== document.body;
        const to = isThere ? caller : card?.querySelector('[data-act="comment"]');
        if (to instanceof HTMLElement) to.focus();
      });
    };
  }, [caller]);
  return form;
}
