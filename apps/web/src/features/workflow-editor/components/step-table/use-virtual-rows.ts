import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import type { Range } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

type VirtualRowsOptions = {
  ids: readonly string[];
  /** The ids of the rows that stay mounted even if they are scrolled out of view: the focused and the dragged one. */
  kept: readonly (string | null)[];
};

type VirtualRows = {
  body: RefObject<HTMLDivElement | null>;
  height: number;
  rows: readonly { index: number; top: number }[];
  measure: (element: HTMLElement | null) => void;
  scrollToRow: (row: number) => void;
};

const ROW_PX = 56;
const OVERSCAN = 5;
// The height of the sticky bars above the table and, on phones, at the bottom.
const STICKY_TOP_PX = 144;
const STICKY_FOOT_PX = 72;

/** The rows that are visible in the scrolled page, with their positions. */
export function useVirtualRows({ ids, kept }: VirtualRowsOptions): VirtualRows {
  const body = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const keptRows = kept.map((id) => (id === null ? -1 : ids.indexOf(id))).filter((row) => row !== -1);

  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: ids.length,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => ids[index] ?? index,
    overscan: OVERSCAN,
    // Newly visible rows are rendered once per frame instead of several times before it.
    useFlushSync: false,
    scrollMargin: margin,
    scrollPaddingStart: STICKY_TOP_PX,
    scrollPaddingEnd: STICKY_FOOT_PX,
    // Before the first layout every height is 0, which would make every row visible.
    measureElement: (element) => element.getBoundingClientRect().height || ROW_PX,
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), ...keptRows])].toSorted((left, right) => left - right),
  });

  // Editing the text above the table can change that text's height.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      if (body.current) setMargin(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  const scrollToRow = useCallback(
    (row: number) => {
      if (!virtualizer.getVirtualItems().some(({ index }) => index === row)) virtualizer.scrollToIndex(row);
    },
    [virtualizer],
  );

  return {
    body,
    height: virtualizer.getTotalSize(),
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, top: start - margin })),
    measure: virtualizer.measureElement,
    scrollToRow,
  };
}
