import { act, screen, waitFor } from '@testing-library/react';
import type { User } from '@stet/contract';
import { describe, expect, test, vi } from 'vitest';
import { session } from '../lib/session/session.ts';
import { startFakeServer } from '../testing/fake-server.ts';
import { aRunSummary, aToken, aUser } from '../testing/records.ts';
import { anOwner, inNordlicht } from '../testing/people.ts';
import { cleanUpAfterEach, renderApp } from '../testing/render-app.tsx';

cleanUpAfterEach();

test('a signed-in address redirects to the login page if there is no session', async () => {
  startFakeServer();
  const { router } = renderApp('/app/runs');
  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeDefined();
  expect(router.state.historyAction).toBe('REPLACE');
});

test('removes an expired session and says on the login page that it has ended', async () => {
  startFakeServer().on('GET /api/auth/me', { status: 401, json: { error: 'Sign in again', code: 'no_session' } });
  renderApp('/app/runs', { token: aToken() });
  expect(await screen.findByText(/Your session has ended/)).toBeDefined();
  expect(session.token()).toBeNull();
});

test('uses the token’s user and shows a note if the server can’t confirm the user', async () => {
  startFakeServer().on('GET /api/auth/me', { status: 503, json: { error: 'Starting', code: 'starting' } });
  renderApp('/app/runs', { token: aToken() });
  expect(await screen.findByText(/Couldn’t confirm your sign-in/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Account and theme: Priya Nair' })).toBeDefined();
  expect(session.token()).not.toBeNull();
});

test('logging out ends the session in this browser and on the server', async () => {
  const server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/runs', { json: [aRunSummary()] });
  const { user, router } = renderApp('/app/runs', { token: aToken() });
  const token = session.token();
  await user.click(await screen.findByRole('button', { name: 'Log out' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(session.token()).toBeNull();
  expect(screen.queryByText(/Your session has ended/)).toBeNull();
  expect(server.calls('POST /api/auth/logout')[0]?.headers.get('authorization')).toBe(`Bearer ${token}`);
});

describe('an organization that ends', () => {
  const ending = (change: Partial<User> = {}): User => {
    const user = anOwner(change);
    const [first, ...others] = user.organizations;
    return { ...user, organizations: first ? [{ ...first, endsAt: '2026-12-27T08:00:00.000Z' }, ...others] : [] };
  };

  test.each(['/app/runs', '/app/settings/profile', '/app/editor'])(
    'is announced on %s, without another request',
    async (address) => {
      const server = startFakeServer().on('GET /api/auth/me', { json: ending() });
      renderApp(address, { token: aToken() });
      const note = (await screen.findByText(/This organization ends on/)).closest('[role=status]');
      expect(note?.textContent).toMatch(/ends on .*27.*2026\. The administrator of this server has decided this/);
      expect(note?.textContent).toContain('ask the administrator to cancel this');
      expect(screen.getByRole('link', { name: 'Export the audit trail' }).getAttribute('href')).toBe('/app/audit');
      expect(server.calls('GET /api/auth/me')).toHaveLength(1);
    },
  );

  test('is announced without the export link to people who can’t export, and only in that organization', async () => {
    const viewer = inNordlicht(ending());
    startFakeServer().on('GET /api/auth/me', { json: { ...ending(), orgPermissions: ['workflow.read'] } });
    const { unmount } = renderApp('/app/runs', { token: aToken() });
    expect(await screen.findByText(/This organization ends on/)).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Export the audit trail' })).toBeNull();
    unmount();
    startFakeServer().on('GET /api/auth/me', { json: viewer });
    renderApp('/app/runs', { token: aToken() });
    await screen.findByRole('button', { name: /^Account and theme/ });
    expect(screen.queryByText(/This organization ends on/)).toBeNull();
  });

  test('is announced as soon as a change is refused for that reason', async () => {
    const server = startFakeServer()
      .on('GET /api/auth/me', { json: anOwner() })
      .on('PATCH /api/users/me', { status: 403, json: { error: 'It ends', code: 'organization_ends' } });
    const { user } = renderApp('/app/settings/profile', { token: aToken() });
    const name = await screen.findByLabelText('Full Name');
    server.on('GET /api/auth/me', { json: ending() });
    await user.type(name, ' Jr.');
    await user.click(screen.getByRole('button', { name: 'Save name' }));
    expect(await screen.findByText(/This organization ends on/)).toBeDefined();
  });
});

test('logging out works offline', async () => {
  const server = startFakeServer().on('GET /api/auth/me', { json: aUser() }).on('GET /api/runs', { json: [] });
  const { user, router } = renderApp('/app/runs', { token: aToken() });
  const out = await screen.findByRole('button', { name: 'Log out' });
  server.goDown();
  await user.click(out);
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(session.token()).toBeNull();
});

test('a theme chosen in the user menu is saved', async () => {
  startFakeServer().on('GET /api/auth/me', { json: aUser() }).on('GET /api/runs', { json: [] });
  const { user } = renderApp('/app/runs', { token: aToken() });
  await user.click(await screen.findByRole('button', { name: /Account and theme/ }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Dark' }));
  expect(document.documentElement.dataset['theme']).toBe('dark');
  expect(localStorage.getItem('stet_theme')).toBe('dark');
  await user.click(screen.getByRole('button', { name: /Account and theme/ }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'System' }));
  expect(document.documentElement.dataset['theme']).toBeUndefined();
});

test.each([
  ['/app', '/app/editor'],
  ['/app/nowhere', '/app/editor'],
  ['/app/settings', '/app/settings/profile'],
  ['/app/settings/nowhere', '/app/settings/profile'],
])('%s redirects to %s without a history entry of its own', async (address, arrival) => {
  startFakeServer().on('GET /api/auth/me', { json: anOwner() });
  const { router } = renderApp(['/login', address], { token: aToken() });
  await waitFor(() => expect(router.state.location.pathname).toBe(arrival));
  await act(() => router.navigate(-1));
  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeDefined();
  await act(() => router.navigate('/app/tasks'));
  await screen.findByRole('heading', { name: 'My tasks' });
  await act(() => router.navigate(address));
  await waitFor(() => expect(router.state.location.pathname).toBe(arrival));
  await act(() => router.navigate(-1));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/tasks'));
});

test.each([
  [['workflow.read', 'draft.edit'], '/app/editor'],
  [['workflow.read', 'draft.review'], '/app/tasks'],
  [['workflow.read'], '/app/tasks'],
] as const)('the permissions %s make /app redirect to %s', async (orgPermissions, arrival) => {
  startFakeServer().on('GET /api/auth/me', { json: aUser({ orgPermissions: [...orgPermissions] }) });
  const { router } = renderApp('/app', { token: aToken() });
  await waitFor(() => expect(router.state.location.pathname).toBe(arrival));
  expect(router.state.historyAction).toBe('REPLACE');
});

test('an unknown address outside the app shows a 404 page with a link to the home page', async () => {
  startFakeServer();
  renderApp('/nowhere');
  expect(await screen.findByRole('heading', { level: 1, name: 'Unexpected Application Error' })).toBeDefined();
  expect(screen.getByText('404: No route matches URL "/nowhere"')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Stet, home page' })).toBeDefined();
  expect(document.title).toBe('404 – Stet');
});

test('reports a lost network connection until it is restored', async () => {
  let isOnline = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  const turn = (on: boolean) => {
    isOnline = on;
    act(() => void window.dispatchEvent(new Event(on ? 'online' : 'offline')));
  };
  startFakeServer().on('GET /api/auth/me', { json: aUser() });
  renderApp('/app/runs', { token: aToken() });
  await screen.findByRole('button', { name: /^Account and theme/ });
  expect(screen.queryByText(/You’re offline/)).toBeNull();
  turn(false);
  expect(screen.getByText(/You’re offline/)).toBeDefined();
  turn(true);
  expect(screen.queryByText(/You’re offline/)).toBeNull();
});
