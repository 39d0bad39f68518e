import { cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, vi } from 'vitest';
import { routes } from '../app/router.tsx';
import { session } from '../lib/session/session.ts';
import { shownOrganization } from '../lib/session/shown-organization.ts';
import { toast } from '../ui/toast.ts';

/** Renders the app at an address, the last of a history; `token`: signed in with it. */
export function renderApp(address: string | string[], { token }: { token?: string } = {}) {
  if (token) session.begin(token);
  const router = createMemoryRouter(routes, { initialEntries: [address].flat() });
  const user = userEvent.setup();
  return { router, user, ...render(<RouterProvider router={router} />) };
}

/** Call once in a file that renders: cleans up after each test. */
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
