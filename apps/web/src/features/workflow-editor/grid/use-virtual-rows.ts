import { defaultRangeExtractor, useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual';
import type { Range, Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { RefCallback, RefObject } from 'react';

type RowsOptions = {
  ids: readonly string[];
  /** A row's key, which stays the same if its id changes, so that its measured height isn't lost. */
  keyOf: (id: string) => string;
  /** The ids of the rows that stay mounted even if they are scrolled out of view: the active and the dragged one. */
  kept: readonly (string | null)[];
};

/** The height of all rows, and the rows to render with their distances from the top, in pixels. */
export type VirtualRows = {
  height: number;
  rows: readonly { index: number; top: number }[];
  measure: (element: HTMLElement | null) => void;
  scrollToRow: (row: number) => void;
};

/** The rows to render in a list that scrolls with the page. `body` is the element that contains them. */
export function usePageRows(options: RowsOptions): VirtualRows & { body: RefObject<HTMLDivElement | null> } {
  const body = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  // Editing the text above the table can change that text's height.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      if (body.current) setMargin(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    ...listOf(options, PAGE),
    scrollMargin: margin,
  });
  // A row near the visible ones isn't scrolled to here, because focusing the row does that.
  const scrollToRow = useCallback(
    (row: number) => {
      const { range } = virtualizer;
      const isNear = range !== null && row >= range.startIndex - PAGE.overscan && row <= range.endIndex + PAGE.overscan;
      if (isNear) return;
      virtualizer.scrollToIndex(row);
      // Focusing the row scrolls, too, and cancels the first call before the rows around it are measured.
      requestAnimationFrame(() => virtualizer.scrollToIndex(row));
    },
    [virtualizer],
  );
  return { body, ...rowsOf(virtualizer, margin), scrollToRow };
}

/** The rows to render in a scrolling element. `attach` is the element's ref. */
export function useScrolledRows(options: RowsOptions): VirtualRows & { attach: RefCallback<HTMLDivElement> } {
  const scroller = useRef<HTMLDivElement | null>(null);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    ...listOf(options, SCROLLER),
    getScrollElement: () => scroller.current,
    // Before the first layout the height is unknown. With a height of 0, no row would be rendered.
    initialRect: { width: 0, height: ASSUMED_PX },
    observeElementRect: (instance, report) => {
      const element = instance.scrollElement;
      if (!element) return;
      const measure = () => report({ width: element.offsetWidth, height: element.offsetHeight || ASSUMED_PX });
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(element);
      return () => observer.disconnect();
    },
  });
  const attach = useCallback((element: HTMLDivElement | null) => {
    scroller.current = element;
  }, []);
  return { attach, ...rowsOf(virtualizer, 0) };
}

const ASSUMED_PX = 900;
/** Sizes in pixels; `overscan` is a number of rows. `above` and `below` stay free when a row is scrolled into view. */
type Sizes = { row: number; overscan: number; above: number; below: number };
// Bars cover the page above the table and, on phones, at the bottom.
const PAGE: Sizes = { row: 56, overscan: 5, above: 144, below: 72 };
// The column headings cover the top. At the bottom, one row (45 px) keeps the next row visible. The other 56 px are the
// headings and the space above them. The virtualizer doesn't know of them, so it assumes the rows that much too high.
const SCROLLER: Sizes = { row: 45, overscan: 6, above: 36, below: 101 };

function listOf({ ids, keyOf, kept }: RowsOptions, { row, overscan, above, below }: Sizes) {
  const keptRows = kept.map((id) => (id === null ? -1 : ids.indexOf(id))).filter((at) => at !== -1);
  return {
    count: ids.length,
    estimateSize: () => row,
    getItemKey: (index: number) => keyOf(ids[index] ?? String(index)),
    overscan,
    // Scrolling doesn't force React to render synchronously.
    useFlushSync: false,
    scrollPaddingStart: above,
    scrollPaddingEnd: below,
    // Before the first layout every height is 0, which would make every row visible.
    measureElement: (element: HTMLElement) => element.getBoundingClientRect().height || row,
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), ...keptRows])].toSorted((left, right) => left - right),
  };
}

function rowsOf<Scroller extends Element | Window>(
  virtualizer: Virtualizer<Scroller, HTMLElement>,
  margin: number,
): VirtualRows {
  return {
    height: virtualizer.getTotalSize(),
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, top: start - margin })),
    measure: virtualizer.measureElement,
    scrollToRow: virtualizer.scrollToIndex,
  };
}
