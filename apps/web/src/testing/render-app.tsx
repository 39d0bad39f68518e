import { cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, vi } from 'vitest';
import { routes } from '../app/router.tsx';
import { session } from '../lib/session/session.ts';
import { shownOrganization } from '../lib/session/shown-organization.ts';
import { toast } from '../ui/toast.ts';

/** Renders the app at an address, or at the last address of a history. With `token`, a person is signed in. */
export function renderApp(address: string | string[], { token }: { token?: string } = {}) {
  if (token) session.begin(token);
  const router = createMemoryRouter(routes, { initialEntries: [address].flat() });
  const user = userEvent.setup();
  return { router, user, ...render(<RouterProvider router={router} />) };
}

/** Cleans up after each test. Call it once in each file that renders. */
export function cleanUpAfterEach(): void {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    vi.useRealTimers();
    toast.clear();
    session.end('logout');
    shownOrganization.set(null);
    localStorage.clear();
    sessionStorage.clear();
  });
}
