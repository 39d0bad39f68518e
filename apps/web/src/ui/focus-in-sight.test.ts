import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocusInSight } from './focus-in-sight.ts';

let stop: () => void;
const scrolled = vi.fn<(how: ScrollIntoViewOptions) => void>();
beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (look: FrameRequestCallback) => (look(0), 1));
  Element.prototype.scrollIntoView = scrolled;
  stop = keepFocusInSight();
});
afterEach(() => {
  stop();
  scrolled.mockReset();
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
  document.documentElement.style.scrollPaddingBlock = '';
});

function stand(html: string, [left, top, width, height]: [number, number, number, number]): HTMLElement {
  document.body.insertAdjacentHTML('beforeend', html);
  const element = document.body.lastElementChild as HTMLElement;
  const rect = { left, top, width, height, right: left + width, bottom: top + height };
  for (const each of [element, ...element.querySelectorAll('*')]) each.getBoundingClientRect = () => rect as DOMRect;
  return element;
}
const { innerHeight: height, innerWidth: width } = window;

test.each([
  ['under the bar at the foot', [0, height - 80, 200, 40], 1],
  ['under the bar at the head', [0, 20, 200, 40], 1],
  ['partly beyond the right edge', [width - 20, 300, 110, 40], 1],
  ['in sight', [0, 300, 200, 40], 0],
  ['higher than there is room for', [0, 100, 200, height * 2], 0],
] satisfies [string, [number, number, number, number], number][])(
  'a control %s is brought in sight',
  (_, at, times) => {
    stand('<header data-edge="head"></header>', [0, 0, width, 52]);
    stand('<div data-edge="foot"></div>', [0, height - 100, width, 100]);
    stand('<button>Reply</button>', at).focus();
    expect(scrolled).toHaveBeenCalledTimes(times);
    expect(document.documentElement.style.scrollPaddingBlock).toBe(times === 0 ? '' : '52px 100px');
  },
);

test('what stands in a bar stays where it is', () => {
  stand('<div data-edge="foot"><button>Approve</button></div>', [0, height - 100, width, 100]);
  document.querySelector('button')?.focus();
  expect(scrolled).not.toHaveBeenCalled();
});
