import { useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';

/** True when what hangs below its cell has no room there and more above. Under the sticky bars nothing is seen. */
export function useFlip(popup: RefObject<HTMLElement | null>): boolean {
  const [up, setUp] = useState(false);
  useLayoutEffect(() => {
    const node = popup.current;
    const cell = node?.parentElement;
    if (!node || !cell) return;
    const at = cell.getBoundingClientRect();
    const below = window.innerHeight - at.bottom;
    const above = at.top - STICKY_BARS;
    setUp(below < node.offsetHeight + 12 && above > below);
  }, [popup]);
  return up;
}

const STICKY_BARS = 136;
