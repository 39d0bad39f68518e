import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startFakeServer } from './testing/fake-server.ts';

const Broken = () => {
  throw new Error('x is undefined');
};

beforeEach(() => {
  vi.resetModules();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  startFakeServer();
  window.history.replaceState(null, '', '/');
  document.body.innerHTML = '<div id="root"></div>';
});
afterEach(() => {
  vi.doUnmock('./screens/landing/landing-page.tsx');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.innerHTML = '';
});

test('a landing page that crashes shows an error', async () => {
  vi.doMock('./screens/landing/landing-page.tsx', () => ({ LandingPage: Broken }));
  await import('./main.tsx');
  expect(await screen.findByRole('heading', { level: 1, name: 'Something went wrong' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Reload page' })).toBeDefined();
});

test('a landing page whose code can’t be loaded says so', async () => {
  vi.doMock('./screens/landing/landing-page.tsx', () => {
    throw new TypeError('Failed to fetch dynamically imported module: /assets/landing.js');
  });
  await import('./main.tsx');
  expect(await screen.findByRole('heading', { level: 1 })).toBeDefined();
});
