import { useEffect, useEffectEvent, useId } from 'react';

/** The ids of the open dialogs, the top one last. */
const open: string[] = [];

/**
 * Closes the dialog with Escape if no other dialog is above it, and stops the page from scrolling while a dialog is
 * open. An element that handles Escape itself has `data-mantine-stop-propagation="true"`.
 */
export function useDialogLayer(isOpen: boolean, onClose: () => void): void {
  const id = useId();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || open.at(-1) !== id) return;
    const isHandled =
      event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true';
    if (!isHandled) onClose();
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKeyDown = (event: KeyboardEvent) => onKey(event);
    // In the capture phase, because an Escape that closes a dialog must not reach the page's own shortcuts first. The
    // listeners are called in the order of the dialogs, so the next dialog is never reached after the top one closed.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    if (open.length === 0) setScrolling(false);
    open.push(id);
    return () => {
      window.removeEventListener('keydown', onKeyDown, { capture: true });
      open.splice(open.lastIndexOf(id), 1);
      if (open.length === 0) setScrolling(true);
    };
  }, [isOpen, id]);
}

/**
 * Sets inline styles. With a new style sheet, the browser would calculate the styles of the whole page again, which
 * took longer than drawing the dialog. The scroll bar's space stays reserved, so that nothing moves.
 */
function setScrolling(isAllowed: boolean): void {
  const { documentElement: page } = document;
  const hasScrollBar = window.innerWidth > page.clientWidth;
  page.style.overflow = isAllowed ? '' : 'hidden';
  page.style.scrollbarGutter = !isAllowed && hasScrollBar ? 'stable' : '';
}
