import { barsAtEdges, rectsOf } from './bars.ts';

/** Where the toasts stand: a corner, and what they keep clear of at the window's top and bottom, in pixels. */
type ToastPlace = { corner: Corner; head: number; foot: number };
type Corner = 'bottom-right' | 'bottom-left' | 'top-right';
type Rect = Pick<DOMRect, 'top' | 'right' | 'bottom' | 'left'>;

export type ToastRoom = {
  window: { width: number; height: number };
  box: { width: number; height: number };
  /** What a person may want to press meanwhile. */
  controls: readonly Rect[];
  /** What has the keyboard's focus. */
  focused: Rect | null;
  head: number;
  foot: number;
};

const CORNERS: readonly Corner[] = ['bottom-right', 'bottom-left', 'top-right'];
export const FIRST_PLACE: ToastPlace = { corner: 'bottom-right', head: 0, foot: 0 };
/** As in the style sheet beside it. */
const EDGE = 16;
/** Nothing else is worth covering what has the focus. */
const FOCUSED = 100;

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
    const controls = room.controls.filter((control) => overlap(control, box)).length;
    return room.focused && overlap(room.focused, box) ? controls + FOCUSED : controls;
  };
  let best = present;
  for (const corner of CORNERS) if (covered(corner) < covered(best)) best = corner;
  return { corner: best, head: room.head, foot: room.foot };
}

const CONTROLS = 'a[href], button, input, select, textarea, summary';

/** What there is round the toasts at the moment. */
export function roomFor(toasts: HTMLElement): ToastRoom {
  const { innerWidth: width, innerHeight: height } = window;
  const focused = document.querySelector(':focus-visible:not([data-edge] *)');
  // Under a dialog nothing can be pressed.
  const within = document.querySelector('[aria-modal="true"]') ?? document;
  const { width: boxWidth, height: boxHeight } = toasts.getBoundingClientRect();
  return {
    window: { width, height },
    box: { width: boxWidth, height: boxHeight },
    controls: rectsOf([...within.querySelectorAll(CONTROLS)].filter((control) => !toasts.contains(control))),
    focused: focused && !toasts.contains(focused) ? (rectsOf([focused])[0] ?? null) : null,
    ...barsAtEdges(),
  };
}
