type Rect = Pick<DOMRect, 'top' | 'bottom'>;

/** The rectangles of the elements that are rendered. */
const rectsOf = (elements: readonly Element[]): DOMRect[] =>
  elements.map((element) => element.getBoundingClientRect()).filter(({ height }) => height > 0);

const bars = (edge: 'head' | 'foot'): DOMRect[] => rectsOf([...document.querySelectorAll(`[data-edge="${edge}"]`)]);

/** The total height of the bars stacked at the bottom of the window. A bar that ends higher up isn't counted. */
function footOf(all: readonly Rect[], height: number): number {
  let foot = 0;
  for (const { top, bottom } of all.toSorted((one, other) => other.bottom - one.bottom))
    if (top < height && bottom >= height - foot - 1) foot = Math.max(foot, height - top);
  return foot;
}

/**
 * The height of the bars at the top and at the bottom of the window, in pixels. Bars fixed to an edge have `data-edge`.
 */
export function barsAtEdges(): { head: number; foot: number } {
  const { innerHeight: height } = window;
  const atHead = bars('head').filter(({ top }) => top < height / 3);
  return { head: Math.max(0, ...atHead.map(({ bottom }) => bottom)), foot: footOf(bars('foot'), height) };
}
