import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DialogBody } from './dialog-body.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Gives every element the same content height and visible height, in pixels. */
function layOut({ content, room }: { content: number; room: number }) {
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(content);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(room);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      #onChange: () => void;
      constructor(onChange: () => void) {
        this.#onChange = onChange;
      }
      observe() {
        this.#onChange();
      }
      disconnect() {}
    },
  );
}

test('overflowing text is focusable, so that it can be scrolled with the keyboard', () => {
  layOut({ content: 900, room: 400 });
  render(<DialogBody>A long text</DialogBody>);
  expect(screen.getByRole('group', { name: 'Dialog text' }).tabIndex).toBe(0);
});

test.each([
  { what: 'text that fits', content: 300, inside: <p>A short text</p> },
  {
    what: 'overflowing content with a field, which scrolls into view,',
    content: 900,
    inside: <input aria-label="Name" />,
  },
])('$what isn’t focusable itself', ({ content, inside }) => {
  layOut({ content, room: 400 });
  render(<DialogBody>{inside}</DialogBody>);
  expect(screen.queryByRole('group')).toBeNull();
});
