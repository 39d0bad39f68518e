import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DialogBody } from './dialog-body.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A page where all is as high as is said here. */
function layOut({ content, room }: { content: number; room: number }) {
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(content);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(room);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      #heard: () => void;
      constructor(heard: () => void) {
        this.#heard = heard;
      }
      observe() {
        this.#heard();
      }
      disconnect() {}
    },
  );
}

test('text that is more than fits takes focus, so that keys scroll it', () => {
  layOut({ content: 900, room: 400 });
  render(<DialogBody>Much to say</DialogBody>);
  expect(screen.getByRole('group', { name: 'What the dialog says' }).tabIndex).toBe(0);
});

test.each([
  { what: 'text that fits', content: 300, inside: <p>Little to say</p> },
  { what: 'what has a field that brings it along', content: 900, inside: <input aria-label="Name" /> },
])('$what is no stop of its own', ({ content, inside }) => {
  layOut({ content, room: 400 });
  render(<DialogBody>{inside}</DialogBody>);
  expect(screen.queryByRole('group')).toBeNull();
});
