import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Outlet, RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { routes } from './router.tsx';
import { ScreenError } from './screen-error.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const Frame = () => (
  <>
    <nav>Bar</nav>
    <main>
      <Outlet />
    </main>
  </>
);

function open(error: Error) {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const failing = async (): Promise<{ Component: () => null }> => {
    throw error;
  };
  const router = createMemoryRouter([
    {
      path: '/',
      Component: Frame,
      children: [{ errorElement: <ScreenError />, children: [{ index: true, lazy: failing }] }],
    },
  ]);
  render(<RouterProvider router={router} />);
}

test('a screen that can’t be loaded keeps the top bar and reports that the server can’t be reached', async () => {
  open(new TypeError('Failed to fetch dynamically imported module: /assets/runs.js'));
  expect(await screen.findByRole('heading', { name: 'The server can’t be reached' })).toBeDefined();
  expect(screen.getByText('Bar')).toBeDefined();
  expect(screen.getAllByRole('main')).toHaveLength(1);
  vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockRejectedValue(new TypeError('offline')));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/Still no response/)).toBeDefined();
});

test('retries automatically once the network is back', async () => {
  open(new TypeError('Failed to fetch dynamically imported module: /assets/runs.js'));
  await screen.findByRole('heading', { name: 'The server can’t be reached' });
  const ask = vi.fn<typeof fetch>().mockRejectedValue(new TypeError('offline'));
  vi.stubGlobal('fetch', ask);
  // The heading can be on the page before the listener is registered.
  await waitFor(() => {
    window.dispatchEvent(new Event('online'));
    expect(ask).toHaveBeenCalled();
  });
  expect(await screen.findByText(/Still no response/)).toBeDefined();
  expect(ask).toHaveBeenCalledTimes(1);
});

test('a crashed screen keeps the top bar, shows an error, and doesn’t affect the next screen', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const Broken = () => {
    throw new Error('x is undefined');
  };
  const router = createMemoryRouter(
    [
      {
        path: '/',
        Component: Frame,
        children: [
          {
            errorElement: <ScreenError />,
            children: [
              { path: 'broken', Component: Broken },
              { path: 'whole', element: 'All is well' },
            ],
          },
        ],
      },
    ],
    { initialEntries: ['/broken'] },
  );
  render(<RouterProvider router={router} />);
  expect(await screen.findByRole('heading', { level: 1, name: 'Something went wrong' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Reload page' })).toBeDefined();
  expect(screen.getByText('Bar')).toBeDefined();
  expect(screen.getAllByRole('main')).toHaveLength(1);
  await act(() => router.navigate('/whole'));
  expect(screen.getByText('All is well')).toBeDefined();
});

test('a crash outside the screen replaces the whole page with an error', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const [root] = routes;
  if (!root) throw new Error('no routes');
  const Broken = () => {
    throw new Error('x is undefined');
  };
  const router = createMemoryRouter([{ ...root, index: false, children: [{ path: '/', Component: Broken }] }]);
  render(<RouterProvider router={router} />);
  expect(await screen.findByRole('heading', { level: 1, name: 'Something went wrong' })).toBeDefined();
  expect(screen.getAllByRole('main')).toHaveLength(1);
});
