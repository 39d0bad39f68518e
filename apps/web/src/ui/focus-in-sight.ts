import { barsAtEdges } from './bars.ts';

/**
 * Brings what the keyboard's focus comes to out from under the bars at the window's edges, and from beyond the edge of a
 * line of chips (WCAG 2.2, 2.4.11). The browser scrolls to what is out of the window, and knows nothing of bars over it.
 * Answers how to stop.
 */
export function keepFocusInSight(): () => void {
  let frame = 0;
  const look = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || !target.matches(':focus-visible') || target.closest('[data-edge]')) return;
    cancelAnimationFrame(frame);
    // The browser's own scrolling comes first.
    frame = requestAnimationFrame(() => {
      const { head, foot } = barsAtEdges();
      const { top, right, bottom, left } = target.getBoundingClientRect();
      if (left < 0 || right > window.innerWidth) target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const lowest = window.innerHeight - foot;
      if (bottom - top > lowest - head || !scrollsWithPage(target)) return;
      const by = top < head ? top - head : Math.max(0, bottom - lowest);
      if (by !== 0) window.scrollBy({ top: by, behavior: 'instant' });
    });
  };
  document.addEventListener('focusin', look);
  return () => {
    cancelAnimationFrame(frame);
    document.removeEventListener('focusin', look);
  };
}

/** Not what stays in the window, as the link past the bar, nor what a layer or a panel scrolls by itself. */
function scrollsWithPage(element: HTMLElement): boolean {
  for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
    const { position, overflowY } = getComputedStyle(at);
    if (position === 'fixed' || overflowY === 'auto' || overflowY === 'scroll') return false;
  }
  return true;
}
