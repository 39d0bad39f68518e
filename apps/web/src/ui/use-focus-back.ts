import { useLayoutEffect } from 'react';

// The element that had the focus before the closing layer opened. If another layer replaces it, that layer returns the
// focus to the same element.
let before: Element | null = null;

/**
 * Returns the focus to the element that had it when the layer opened, even if the layer is unmounted without being
 * closed. If the focus has already moved elsewhere, it stays there.
 */
export function useFocusBack(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return undefined;
    const owner = document.activeElement === document.body ? (before ?? document.body) : document.activeElement;
    return () => {
      before = owner;
      const layer = document.activeElement?.closest('[role="dialog"]');
      // Deferred, because a layer that replaces this one may take the focus.
      setTimeout(() => {
        before = null;
        const { activeElement } = document;
        const isLost = activeElement === document.body || activeElement === null;
        if (owner instanceof HTMLElement && owner.isConnected && (isLost || layer?.contains(activeElement)))
          owner.focus();
      });
    };
  }, [open]);
}
