type Rect = Pick<DOMRect, 'top' | 'bottom'>;

/** Of what is drawn at all. */
export const rectsOf = (elements: readonly Element[]): DOMRect[] =>
  elements.map((element) => element.getBoundingClientRect()).filter(({ height }) => height > 0);

const bars = (edge: 'head' | 'foot'): DOMRect[] => rectsOf([...document.querySelectorAll(`[data-edge="${edge}"]`)]);

/** How high bars stand upon each other from the window's foot. One that is further up, where its content ends, is none of them. */
function footOf(all: readonly Rect[], height: number): number {
  let foot = 0;
  for (const { top, bottom } of all.toSorted((one, other) => other.bottom - one.bottom))
    if (top < height && bottom >= height - foot - 1) foot = Math.max(foot, height - top);
  return foot;
}

/** Pixels that bars take of the window at its top and bottom. Bars that stay at an edge of it say so by `data-edge`. */
export function barsAtEdges(): { head: number; foot: number } {
  const { innerHeight: height } = window;
  const atHead = bars('head').filter(({ top }) => top < height / 3);
  return { head: Math.max(0, ...atHead.map(({ bottom }) => bottom)), foot: footOf(bars('foot'), height) };
}
