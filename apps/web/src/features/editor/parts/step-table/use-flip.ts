import { useLayoutEffect } from 'react';
import type { RefObject } from 'react';

/** Marks what hangs below its cell with `data-up` where there is no room below and more above. */
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

// Under the bars that stick to the top nothing is seen.
const STICKY_BARS_PX = 136;
const ROOM_PX = 12;
