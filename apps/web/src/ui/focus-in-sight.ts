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
      const inSight = top >= head && bottom <= window.innerHeight - foot && left >= 0 && right <= window.innerWidth;
      if (inSight || bottom - top > window.innerHeight - head - foot) return;
      document.documentElement.style.scrollPaddingBlock = `${head}px ${foot}px`;
      target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
  };
  document.addEventListener('focusin', look);
  return () => {
    cancelAnimationFrame(frame);
    document.removeEventListener('focusin', look);
  };
}
