import type { FlowLayout } from '@stet/presentation/flow';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { DRAWING_MARGIN } from './flow-drawing.tsx';

const MIN_SCALE = 0.1;
const MAX_SCALE = 2;
const FACTOR = 1.25;
const within = (scale: number): number => Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));

type Size = { width: number; height: number };

/** The diagram's zoom. By default, the diagram is as wide as its frame, at half to full size. */
export function useZoom(layout: FlowLayout | null) {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const [size, setSize] = useState<Size | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const { whole, wide } = fitting(layout, size);
  const scale = chosen ?? wide;

  useEffect(() => {
    if (!frame) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: frame.clientWidth, height: frame.clientHeight }));
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frame]);

  useEffect(() => {
    if (!frame) return undefined;
    const onWheel = (event: WheelEvent): void => {
      // Browsers report pinching as a wheel event with Control. Without Control or Cmd, the frame scrolls.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      setChosen((before) => within((before ?? wide) * Math.exp(-event.deltaY / 200)));
    };
    frame.addEventListener('wheel', onWheel, { passive: false });
    return () => frame.removeEventListener('wheel', onWheel);
  }, [frame, wide]);
  useKeptCentre(frame, scale);

  const zoomIn = () => setChosen(within(scale * FACTOR));
  const zoomOut = () => setChosen(within(scale / FACTOR));
  const fit = () => setChosen(whole);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') zoomIn();
    else if (event.key === '-') zoomOut();
    else if (event.key === '0') fit();
    else return;
    event.preventDefault();
  };
  return { setFrame, scale, zoomIn, zoomOut, fit, onKeyDown };
}

/**
 * `whole`: the scale that fits the entire diagram. `wide`: the scale at which the diagram fills the frame's width and
 * scrolls vertically.
 */
function fitting(layout: FlowLayout | null, size: Size | null): { whole: number; wide: number } {
  if (!layout || !size || size.width === 0) return { whole: 1, wide: 1 };
  const across = size.width / (layout.width + 2 * DRAWING_MARGIN);
  const down = size.height / (layout.height + 2 * DRAWING_MARGIN);
  // At less than half its size, the text is unreadable.
  return { whole: within(Math.min(1, across, down)), wide: Math.min(1, Math.max(0.5, across)) };
}

/** Keeps the frame's center point in place while zooming. */
function useKeptCentre(frame: HTMLDivElement | null, scale: number): void {
  const before = useRef(scale);
  useLayoutEffect(() => {
    const ratio = scale / before.current;
    before.current = scale;
    if (!frame || ratio === 1) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = frame;
    const centered = (start: number, length: number): number => (start + length / 2) * ratio - length / 2;
    frame.scrollTo?.(centered(scrollLeft, clientWidth), centered(scrollTop, clientHeight));
  }, [frame, scale]);
}
