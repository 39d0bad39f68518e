import { afterEach, expect, test } from 'vitest';
import { roomFor, toastPlace } from './toast-place.ts';
import type { ToastRoom } from './toast-place.ts';

const WIDE: ToastRoom = {
  window: { width: 1440, height: 900 },
  box: { width: 340, height: 60 },
  controls: [],
  focused: null,
  head: 56,
  foot: 0,
};
const box = (left: number, top: number, width = 100, height = 32) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const AT_RIGHT = box(1200, 850);
const AT_LEFT = box(40, 850);

test.each([
  ['nothing', [], 'bottom-right'],
  ['a button under its corner', [AT_RIGHT], 'bottom-left'],
  ['buttons under both corners', [AT_RIGHT, AT_LEFT], 'top-right'],
  ['as much everywhere', [AT_RIGHT, AT_LEFT, box(1200, 90)], 'bottom-right'],
  ['more at the right than elsewhere', [AT_RIGHT, box(1320, 850), AT_LEFT, box(1200, 90)], 'bottom-left'],
])('with %1$j under them toasts go where they cover least: %2$s', (_, controls, corner) =>
  expect(toastPlace({ ...WIDE, controls }, 'bottom-right').corner).toBe(corner),
);

test('they leave what has the focus in sight, whatever else they cover', () => {
  const controls = [AT_LEFT, box(1200, 90), box(1320, 90)];
  expect(toastPlace({ ...WIDE, controls, focused: box(900, 820, 400, 60) }, 'bottom-right').corner).toBe('bottom-left');
});

test('they stay in a corner that is as good as any', () =>
  expect(toastPlace({ ...WIDE, controls: [AT_RIGHT] }, 'top-right').corner).toBe('top-right'));

test('above a bar at the foot they cover nothing of it', () => {
  const phone = { ...WIDE, window: { width: 390, height: 844 }, controls: [box(0, 784, 390, 60)] };
  expect(toastPlace({ ...phone, foot: 60 }, 'bottom-right')).toEqual({ corner: 'bottom-right', head: 56, foot: 60 });
});

afterEach(() => {
  document.body.innerHTML = '';
});
function stand(html: string, top: number, height: number): HTMLElement {
  document.body.insertAdjacentHTML('beforeend', html);
  const element = document.body.lastElementChild as HTMLElement;
  const rect = { ...box(0, top, window.innerWidth, height), width: window.innerWidth, height };
  for (const each of [element, ...element.querySelectorAll('*')]) each.getBoundingClientRect = () => rect as DOMRect;
  return element;
}

test('bars at the foot stand upon each other; one where a short page ends is none of them', () => {
  const height = window.innerHeight;
  const toasts = stand('<div><button>Dismiss</button></div>', 0, 60);
  stand('<header data-edge="head"></header>', 0, 56);
  stand('<div data-edge="foot"><button>Save</button></div>', height - 64, 64);
  stand('<div data-edge="foot"></div>', height - 104, 40);
  stand('<div data-edge="foot"></div>', 300, 50);
  expect(roomFor(toasts)).toMatchObject({ head: 56, foot: 104, controls: [{ top: height - 64 }] });
});

test('while a dialog is open only its controls count', () => {
  const toasts = stand('<div></div>', 0, 60);
  stand('<button>Behind</button>', 10, 30);
  stand('<div role="dialog" aria-modal="true"><button>Inside</button></div>', 200, 30);
  expect(roomFor(toasts).controls).toHaveLength(1);
  expect(roomFor(toasts).controls[0]?.top).toBe(200);
});
