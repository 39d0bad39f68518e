import { useLayoutEffect } from 'react';

/**
 * Gives focus back to what had it when the layer opened, also where the layer is taken away without having been closed.
 * Focus that went elsewhere in the meantime stays there.
 */
export function useFocusBack(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return undefined;
    const owner = document.activeElement;
    return () => {
      const layer = document.activeElement?.closest('[role="dialog"]');
      // A moment later: what comes in the layer's place may take the focus for itself.
      setTimeout(() => {
        const { activeElement } = document;
        const isLost = activeElement === document.body || activeElement === null;
        if (owner instanceof HTMLElement && owner.isConnected && (isLost || layer?.contains(activeElement)))
          owner.focus();
      });
    };
  }, [open]);
}
