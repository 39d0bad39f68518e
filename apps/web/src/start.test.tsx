import { act, screen } from '@testing-library/react';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { start } from './start.tsx';
import { startFakeServer } from './testing/fake-server.ts';
import { cleanUpAfterEach } from './testing/render-app.tsx';

cleanUpAfterEach();

let root: Root;
let place: HTMLElement;
beforeEach(() => {
  startFakeServer();
  window.history.replaceState(null, '', '/');
  place = document.body.appendChild(document.createElement('div'));
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
  vi.restoreAllMocks();
});

const Broken = () => {
  throw new Error('x is undefined');
};

test.each([
  ['crashes', async () => Broken],
  ['can’t be loaded', async () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))],
])('if the front page %s, the router takes over, with its error boundary', async (_, load) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  root = start(place, load);
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toContain('Stop Drawing');
});
