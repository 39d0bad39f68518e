import { barsAtEdges } from './bars.ts';

// After one of these events, the scroll position is the person's choice and is no longer corrected.
const OWN_SCROLLING = ['keydown', 'pointerdown', 'touchmove', 'wheel'] as const;

/**
 * Scrolls an element that shows its focus out from under the bars at the window's edges, and into view in a scrolling
 * line of chips (WCAG 2.2, 2.4.11). The browser itself only scrolls to elements outside the window and ignores bars that
 * cover them. This is repeated when late content moves the element or a new bar covers it. Returns a function that stops
 * it.
 */
export function keepFocusInSight(): () => void {
  let frame = 0;
  let focused: HTMLElement | null = null;
  const look = (): void => {
    cancelAnimationFrame(frame);
    // Wait until the browser has scrolled to the element itself.
    frame = requestAnimationFrame(() => {
      if (focused !== null && focused === document.activeElement) bringInSight(focused);
    });
  };
  const onFocus = ({ target }: FocusEvent): void => {
    const isByKeyboard = target instanceof HTMLElement && target.matches(':focus-visible');
    focused = isByKeyboard && !target.closest('[data-edge]') ? target : null;
    look();
  };
  const forget = (): void => {
    focused = null;
  };
  const resized = new ResizeObserver(look);
  resized.observe(document.body);
  const changed = new MutationObserver((changes) => {
    const isBar = (node: Node): boolean => node instanceof HTMLElement && node.matches('[data-edge]');
    if (changes.some(({ addedNodes }) => [...addedNodes].some(isBar))) look();
  });
  changed.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', onFocus);
  for (const event of OWN_SCROLLING) document.addEventListener(event, forget, { capture: true, passive: true });
  return () => {
    cancelAnimationFrame(frame);
    resized.disconnect();
    changed.disconnect();
    document.removeEventListener('focusin', onFocus);
    for (const event of OWN_SCROLLING) document.removeEventListener(event, forget, { capture: true });
  };
}

function bringInSight(element: HTMLElement): void {
  const { head, foot } = barsAtEdges();
  const { top, right, bottom, left } = element.getBoundingClientRect();
  if (left < 0 || right > window.innerWidth) element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const lowest = window.innerHeight - foot;
  if (bottom - top > lowest - head || !scrollsWithPage(element)) return;
  const by = top < head ? top - head : Math.max(0, bottom - lowest);
  if (by !== 0) window.scrollBy({ top: by, behavior: 'instant' });
}

/**
 * False for fixed elements, for example the skip link, and for elements in layers or panels with their own scrolling.
 */
function scrollsWithPage(element: HTMLElement): boolean {
  for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
    const { position, overflowY } = getComputedStyle(at);
    if (position === 'fixed' || overflowY === 'auto' || overflowY === 'scroll') return false;
  }
  return true;
}
