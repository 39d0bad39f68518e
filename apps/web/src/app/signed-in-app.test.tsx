import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { session } from '../lib/session/session.ts';
import { startFakeServer } from '../testing/fake-server.ts';
import { aRunSummary, aToken, aUser } from '../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../testing/render-app.tsx';

cleanUpAfterEach();

test('without a session every signed-in address is the login', async () => {
  startFakeServer();
  const { router } = renderApp('/app/runs');
  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeDefined();
  expect(router.state.historyAction).toBe('REPLACE');
});

test('a dead session is cleared, and the login says why', async () => {
  startFakeServer().on('GET /api/auth/me', { status: 401, json: { error: 'Sign in again', code: 'no_session' } });
  renderApp('/app/runs', { token: aToken() });
  expect(await screen.findByText(/Your session has ended/)).toBeDefined();
  expect(session.token()).toBeNull();
});

test('when the server can’t say who it is, the token does, with a note', async () => {
  startFakeServer().on('GET /api/auth/me', { status: 503, json: { error: 'Starting', code: 'starting' } });
  renderApp('/app/runs', { token: aToken() });
  expect(await screen.findByText(/can’t be asked who you are/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Account and theme: Priya Nair' })).toBeDefined();
  expect(session.token()).not.toBeNull();
});

test('the bar names the organization, and logging out ends the session', async () => {
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

test('logging out needs no network', async () => {
  const server = startFakeServer().on('GET /api/auth/me', { json: aUser() }).on('GET /api/runs', { json: [] });
  const { user, router } = renderApp('/app/runs', { token: aToken() });
  const out = await screen.findByRole('button', { name: 'Log out' });
  server.goDown();
  await user.click(out);
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(session.token()).toBeNull();
});

test('a theme is picked in the user’s menu and kept', async () => {
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

test('an unknown address inside the app is its start, outside it a 404', async () => {
  startFakeServer().on('GET /api/auth/me', { json: aUser() });
  const inside = renderApp('/app/nowhere', { token: aToken() });
  await waitFor(() => expect(inside.router.state.location.pathname).toBe('/app/editor'));
  inside.unmount();
  renderApp('/nowhere');
  expect(await screen.findByText('Unexpected Application Error')).toBeDefined();
  expect(screen.getByText(/No route matches URL/)).toBeDefined();
});

test('a network that is gone is told on every screen until it is back', async () => {
  let isOnline = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  const turn = (on: boolean) => {
    isOnline = on;
    act(() => void window.dispatchEvent(new Event(on ? 'online' : 'offline')));
  };
  startFakeServer().on('GET /api/auth/me', { json: aUser() });
  renderApp('/app/runs', { token: aToken() });
  await screen.findByRole('button', { name: /^Account and theme/ });
  expect(screen.queryByText(/There is no connection/)).toBeNull();
  turn(false);
  expect(screen.getByText(/There is no connection/)).toBeDefined();
  turn(true);
  expect(screen.queryByText(/There is no connection/)).toBeNull();
});
