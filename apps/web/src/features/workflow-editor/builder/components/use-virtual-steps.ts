import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { Range } from '@tanstack/react-virtual';
import { useCallback, useRef } from 'react';

const ROW_PX = 45;
const OVERSCAN = 6;
const HEAD_PX = 36;

/** The visible rows of the scrolling work area. `kept` rows stay mounted wherever it is scrolled. */
export function useVirtualSteps(ids: readonly string[], kept: readonly (string | null)[]) {
  const scroller = useRef<HTMLDivElement | null>(null);
  const keptRows = kept.map((id) => (id === null ? -1 : ids.indexOf(id))).filter((row) => row !== -1);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => ids[index] ?? index,
    overscan: OVERSCAN,
    // Rendering synchronously during an event would cost a frame for each measured row.
    useFlushSync: false,
    scrollPaddingStart: HEAD_PX,
    scrollPaddingEnd: ROW_PX,
    // Without layout there is no height, and a table without height shows nothing.
    initialRect: { width: 0, height: 900 },
    observeElementRect: (instance, report) => {
      const element = instance.scrollElement;
      if (!element) return;
      const measure = () => report({ width: element.offsetWidth, height: element.offsetHeight || 900 });
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(element);
      return () => observer.disconnect();
    },
    measureElement: (element) => element.getBoundingClientRect().height || ROW_PX,
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), ...keptRows])].toSorted((left, right) => left - right),
  });
  const scrollToRow = useCallback((row: number) => virtualizer.scrollToIndex(row, { align: 'auto' }), [virtualizer]);
  const attach = useCallback((element: HTMLDivElement | null) => {
    scroller.current = element;
  }, []);
  return {
    attach,
    height: virtualizer.getTotalSize(),
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, top: start })),
    measure: virtualizer.measureElement,
    scrollToRow,
  };
}
