import { useLayoutEffect } from 'react';
import type { RefObject } from 'react';

/** Marks a popover with `data-up` if it doesn't fit below its cell and there is more room above. */
export function useFlip(popup: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const node = popup.current;
    const cell = node?.parentElement;
    if (!node || !cell) return;
    const at = cell.getBoundingClientRect();
    const below = window.innerHeight - at.bottom;
    const above = at.top - STICKY_BARS_PX;
    node.toggleAttribute('data-up', below < node.offsetHeight + ROOM_PX && above > below);
  }, [popup]);
}

// The height of the sticky bars that cover the top of the page.
const STICKY_BARS_PX = 136;
const ROOM_PX = 12;
