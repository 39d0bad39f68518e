import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/**
 * When a comment form closes, returns the focus to the button that opened it. If the form replaced that button, the
 * focus goes to the comment button of its card. Call it in the component that renders the form.
 */
export function useFocusAfterWriting(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // This must be read in the first render, because the form's text field takes the focus afterwards.
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
