import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Outlet, RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { ScreenError } from './screen-error.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function open(error: Error) {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const failing = async (): Promise<{ Component: () => null }> => {
    throw error;
  };
  const Frame = () => (
    <>
      <nav>Bar</nav>
      <main>
        <Outlet />
      </main>
    </>
  );
  const router = createMemoryRouter([
    {
      path: '/',
      Component: Frame,
      children: [{ errorElement: <ScreenError />, children: [{ index: true, lazy: failing }] }],
    },
  ]);
  render(<RouterProvider router={router} />);
}

test('a screen that can’t be fetched leaves the bar, and says that the server can’t be reached', async () => {
  open(new TypeError('Failed to fetch dynamically imported module: /assets/runs.js'));
  expect(await screen.findByRole('heading', { name: 'The server can’t be reached' })).toBeDefined();
  expect(screen.getByText('Bar')).toBeDefined();
  expect(screen.getAllByRole('main')).toHaveLength(1);
  vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockRejectedValue(new TypeError('offline')));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/Still no answer/)).toBeDefined();
});

test('it is tried again by itself once the network is back', async () => {
  open(new TypeError('Failed to fetch dynamically imported module: /assets/runs.js'));
  await screen.findByRole('heading', { name: 'The server can’t be reached' });
  const ask = vi.fn<typeof fetch>().mockRejectedValue(new TypeError('offline'));
  vi.stubGlobal('fetch', ask);
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByText(/Still no answer/)).toBeDefined();
  expect(ask).toHaveBeenCalledTimes(1);
});

test('any other error of a screen is the router’s', async () => {
  open(new Error('x is undefined'));
  expect(await screen.findByText('Unexpected Application Error')).toBeDefined();
  expect(screen.getAllByRole('main')).toHaveLength(1);
});
