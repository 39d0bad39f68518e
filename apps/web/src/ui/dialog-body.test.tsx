import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DialogBody } from './dialog-body.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A page whose elements have the given height. */
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

test('overflowing text is focusable, so that keys scroll it', () => {
  layOut({ content: 900, room: 400 });
  render(<DialogBody>Much to say</DialogBody>);
  expect(screen.getByRole('group', { name: 'What the dialog says' }).tabIndex).toBe(0);
});

test.each([
  { what: 'text that fits', content: 300, inside: <p>Little to say</p> },
  { what: 'what has a field that brings it along', content: 900, inside: <input aria-label="Name" /> },
])('$what is not focusable itself', ({ content, inside }) => {
  layOut({ content, room: 400 });
  render(<DialogBody>{inside}</DialogBody>);
  expect(screen.queryByRole('group')).toBeNull();
});
