/** Where the toasts stand: a corner, and what they keep clear of at the window's top and bottom, in pixels. */
type ToastPlace = { corner: Corner; head: number; foot: number };
type Corner = 'bottom-right' | 'bottom-left' | 'top-right';
type Rect = Pick<DOMRect, 'top' | 'right' | 'bottom' | 'left'>;

export type ToastRoom = {
  window: { width: number; height: number };
  box: { width: number; height: number };
  /** What a person may want to press meanwhile. */
  controls: readonly Rect[];
  head: number;
  foot: number;
};

const CORNERS: readonly Corner[] = ['bottom-right', 'bottom-left', 'top-right'];
export const FIRST_PLACE: ToastPlace = { corner: 'bottom-right', head: 0, foot: 0 };
/** As in the style sheet beside it. */
const EDGE = 16;

function boxAt(corner: Corner, { window, box, head, foot }: ToastRoom): Rect {
  const left = corner === 'bottom-left' ? EDGE : window.width - EDGE - box.width;
  const top = corner === 'top-right' ? head + EDGE : window.height - foot - EDGE - box.height;
  return { left, top, right: left + box.width, bottom: top + box.height };
}

const overlap = (one: Rect, other: Rect): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** The corner where fewest controls are covered; the present one stays unless another is better. */
export function toastPlace(room: ToastRoom, present: Corner): ToastPlace {
  const covered = (corner: Corner): number => {
    const box = boxAt(corner, room);
    return room.controls.filter((control) => overlap(control, box)).length;
  };
  let best = present;
  for (const corner of CORNERS) if (covered(corner) < covered(best)) best = corner;
  return { corner: best, head: room.head, foot: room.foot };
}

const CONTROLS = 'a[href], button, input, select, textarea, summary';
const rects = (elements: readonly Element[]): DOMRect[] =>
  elements.map((element) => element.getBoundingClientRect()).filter(({ height }) => height > 0);
const edges = (edge: 'head' | 'foot'): DOMRect[] => rects([...document.querySelectorAll(`[data-edge="${edge}"]`)]);

/** How high bars stand upon each other from the window's foot. One that is further up, where its content ends, is none of them. */
function footOf(bars: readonly Rect[], height: number): number {
  let foot = 0;
  for (const { top, bottom } of bars.toSorted((one, other) => other.bottom - one.bottom))
    if (top < height && bottom >= height - foot - 1) foot = Math.max(foot, height - top);
  return foot;
}

/** What there is round the toasts at the moment. Bars that stay at an edge of the window say so by `data-edge`. */
export function roomFor(toasts: HTMLElement): ToastRoom {
  const { innerWidth: width, innerHeight: height } = window;
  const atHead = edges('head').filter(({ top }) => top < height / 3);
  // Under a dialog nothing can be pressed.
  const within = document.querySelector('[aria-modal="true"]') ?? document;
  const { width: boxWidth, height: boxHeight } = toasts.getBoundingClientRect();
  return {
    window: { width, height },
    box: { width: boxWidth, height: boxHeight },
    controls: rects([...within.querySelectorAll(CONTROLS)].filter((control) => !toasts.contains(control))),
    head: Math.max(0, ...atHead.map(({ bottom }) => bottom)),
    foot: footOf(edges('foot'), height),
  };
}
