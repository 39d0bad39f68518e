import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocusInSight } from './focus-in-sight.ts';

let stop: () => void;
const scrolled = vi.fn<(how: ScrollToOptions) => void>();
const shown = vi.fn<(how: ScrollIntoViewOptions) => void>();
let resize = (): void => {};
beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (look: FrameRequestCallback) => (look(0), 1));
  vi.stubGlobal('scrollBy', scrolled);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onResize: () => void) {
        resize = onResize;
      }
      observe = () => {};
      disconnect = () => {};
    },
  );
  Element.prototype.scrollIntoView = shown;
  stop = keepFocusInSight();
});
afterEach(() => {
  stop();
  scrolled.mockReset();
  shown.mockReset();
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
});

function stand(html: string, [left, top, width, height]: [number, number, number, number]): HTMLElement {
  document.body.insertAdjacentHTML('beforeend', html);
  const element = document.body.lastElementChild as HTMLElement;
  const rect = { left, top, width, height, right: left + width, bottom: top + height };
  for (const each of [element, ...element.querySelectorAll('*')]) each.getBoundingClientRect = () => rect as DOMRect;
  return element;
}
const { innerHeight: height, innerWidth: width } = window;

const inPage = (html: string, at: [number, number, number, number]) => {
  stand('<header data-edge="head"></header>', [0, 0, width, 52]);
  stand('<div data-edge="foot"></div>', [0, height - 100, width, 100]);
  stand(html, at);
  document.querySelector('button')?.focus();
};

test.each([
  ['under the bar at the foot', [0, height - 80, 200, 40], 60],
  ['under the bar at the head', [0, 20, 200, 40], -32],
  ['in sight', [0, 300, 200, 40], null],
  ['higher than the free space', [0, 100, 200, height * 2], null],
] satisfies [string, [number, number, number, number], number | null][])(
  'scrolls at most as far as needed for a focused control %s',
  (_, at, by) => {
    inPage('<button>Reply</button>', at);
    expect(scrolled.mock.calls.map(([how]) => how.top)).toEqual(by === null ? [] : [by]);
    expect(shown).not.toHaveBeenCalled();
  },
);

test('scrolls a line of chips until a focused chip beyond its right edge is visible', () => {
  inPage('<button>Failed</button>', [width - 20, 300, 110, 40]);
  expect(shown).toHaveBeenCalledTimes(1);
  expect(scrolled).not.toHaveBeenCalled();
});

test.each(['position: fixed', 'overflow-y: auto'])(
  'doesn’t scroll for elements with “%s”, because they don’t scroll with the page',
  (style) => {
    inPage(`<div style="${style}"><button>Skip</button></div>`, [0, 8, 200, 40]);
    expect(scrolled).not.toHaveBeenCalled();
  },
);

test('doesn’t scroll for an element inside a bar', () => {
  stand('<div data-edge="foot"><button>Approve</button></div>', [0, height - 100, width, 100]);
  document.querySelector('button')?.focus();
  expect(scrolled).not.toHaveBeenCalled();
});

test('scrolls again if late content pushes the control under a bar, unless the person has scrolled by then', () => {
  inPage('<button>Reply</button>', [0, 300, 200, 40]);
  const pushTo = (top: number) => {
    const button = document.querySelector('button') as HTMLElement;
    button.getBoundingClientRect = () => ({ left: 0, right: 200, top, bottom: top + 40 }) as DOMRect;
    resize();
  };
  pushTo(height - 90);
  expect(scrolled.mock.calls.map(([how]) => how.top)).toEqual([50]);
  document.dispatchEvent(new WheelEvent('wheel'));
  pushTo(height - 80);
  expect(scrolled).toHaveBeenCalledTimes(1);
});

test('scrolls a control out from under a new bar', async () => {
  inPage('<button>Reply</button>', [0, height - 160, 200, 40]);
  expect(scrolled).not.toHaveBeenCalled();
  stand('<section data-edge="foot"></section>', [0, height - 164, width, 64]);
  await vi.waitFor(() => expect(scrolled.mock.calls.map(([how]) => how.top)).toEqual([44]));
});
