import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { session } from '../../lib/session/session.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();
beforeEach(() => window.sessionStorage.clear());

const withProvider = () =>
  startFakeServer().on('GET /api/auth/oidc', {
    json: { label: 'Halden ID', passwords: true, signUp: 'open', domains: [] },
  });
const arriving = () =>
  withProvider()
    .on('POST /api/auth/oidc/session', { json: { token: aToken(), user: aUser() } })
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/runs', { json: [] });
const button = () => screen.findByRole('link', { name: 'Continue with Halden ID' });

test('offers the sign-in provider only if the server has one', async () => {
  withProvider();
  const { unmount } = renderApp('/login');
  expect((await button()).getAttribute('href')).toBe('/api/auth/oidc/start');
  unmount();
  const server = startFakeServer().on('GET /api/auth/oidc', {
    json: { label: null, passwords: true, signUp: 'open', domains: [] },
  });
  renderApp('/login');
  await screen.findByLabelText('Email');
  await waitFor(() => expect(server.calls('GET /api/auth/oidc')).toHaveLength(1));
  expect(screen.queryByText(/Continue with/)).toBeNull();
});

test('offers only the provider if passwords are off, except at the address that an administrator gives someone', async () => {
  const onlyProvider = () =>
    startFakeServer().on('GET /api/auth/oidc', {
      json: { label: 'Halden ID', passwords: false, signUp: 'open', domains: [] },
    });
  onlyProvider();
  const { unmount } = renderApp('/login');
  await button();
  await waitFor(() => expect(screen.queryByLabelText('Password')).toBeNull());
  expect(screen.queryByRole('link', { name: 'Forgot password?' })).toBeNull();
  unmount();
  onlyProvider();
  renderApp('/login?password');
  await button();
  expect(screen.getByLabelText('Password')).toBeDefined();
});

test('shows no password form before it is known whether passwords are accepted', async () => {
  const server = startFakeServer().on('GET /api/auth/oidc', () => new Promise(() => {}));
  renderApp('/login');
  await waitFor(() => expect(server.calls('GET /api/auth/oidc')).toHaveLength(1));
  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeDefined();
  expect(screen.queryByLabelText('Password')).toBeNull();
});

test('asks for the password to connect an account although passwords are off', async () => {
  startFakeServer()
    .on('GET /api/auth/oidc', { json: { label: 'Halden ID', passwords: false, signUp: 'open', domains: [] } })
    .on('POST /api/auth/oidc/session', {
      status: 409,
      json: {
        error: 'There is already an account with this address.',
        code: 'account_to_connect',
        details: [{ email: 'priya@example.com' }],
      },
    });
  renderApp('/login?sso=ready');
  expect(await screen.findByText('There is already an account with this address.')).toBeDefined();
  expect(screen.getByLabelText('Password')).toBeDefined();
});

test('an invited person without an account is sent to the provider if passwords are off', async () => {
  startFakeServer()
    .on('GET /api/auth/oidc', { json: { label: 'Halden ID', passwords: false, signUp: 'open', domains: [] } })
    .on('GET /api/invitations/*', {
      json: {
        email: 'greta@example.com',
        role: 'reviewer',
        organization: { id: aUser().currentOrgId, name: 'Halden Works', slug: 'halden' },
        status: 'pending',
        expiresAt: '2030-01-01T00:00:00.000Z',
      },
    });
  renderApp('/invite/the-token-of-an-invitation');
  await button();
  expect(screen.getByText(/Sign in with Halden ID as/).textContent).toContain('greta@example.com');
  expect(screen.queryByLabelText('Password')).toBeNull();
});

test('doesn’t link to the sign-up if it is closed', async () => {
  startFakeServer().on('GET /api/auth/oidc', { json: { label: null, passwords: true, signUp: 'closed', domains: [] } });
  renderApp('/login');
  expect(await screen.findByText('New here? Ask an owner or admin for an invitation.')).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Create account' })).toBeNull();
});

test('an invited person can sign in with the provider, and the invitation’s address is stored for the return', async () => {
  withProvider().on('GET /api/invitations/*', {
    json: {
      email: 'greta@example.com',
      role: 'reviewer',
      organization: { id: aUser().currentOrgId, name: 'Halden Works', slug: 'halden' },
      status: 'pending',
      expiresAt: '2030-01-01T00:00:00.000Z',
    },
  });
  const { user } = renderApp('/invite/the-token-of-an-invitation');
  const link = await button();
  link.addEventListener('click', (event) => event.preventDefault());
  await user.click(link);
  expect(window.sessionStorage.getItem('stet_return_path')).toBe('/invite/the-token-of-an-invitation');
});

test('signs the person in once and returns to the page they wanted to open', async () => {
  const server = arriving();
  const { user, router } = renderApp('/app/runs?q=nord');
  const link = await button();
  link.addEventListener('click', (event) => event.preventDefault());
  await user.click(link);
  await router.navigate('/login?sso=ready');
  expect(await screen.findByRole('heading', { name: 'Runs' })).toBeDefined();
  expect(router.state.location.search).toBe('?q=nord');
  expect(session.token()).toBe(aToken());
  expect(server.calls('POST /api/auth/oidc/session')).toHaveLength(1);
});

test('ignores a return path outside the app', async () => {
  window.sessionStorage.setItem('stet_return_path', '//evil.example');
  arriving();
  const { router } = renderApp('/login?sso=ready');
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
});

test.each([
  ['denied', 'Signing in with Halden ID was cancelled or not allowed. Nothing was changed.'],
  ['expired', 'This sign-in took too long, or you started another one in this browser. Please try again.'],
  ['unverified', 'Halden ID has not confirmed your email address, so it can’t sign you in here.'],
  ['unavailable', 'Halden ID can’t be reached at the moment. Please try again later.'],
  ['failed', 'Signing in with Halden ID failed. Please try again.'],
  ['something-new', 'Signing in with Halden ID failed. Please try again.'],
])('shows the result %s as “%s” and still offers to log in with the password', async (outcome, sentence) => {
  const server = withProvider();
  const { router } = renderApp(`/login?sso=${outcome}`);
  expect(await screen.findByText(sentence)).toBeDefined();
  expect(screen.getByRole('alert').textContent).toBe(sentence);
  expect(router.state.location.search).toBe('');
  expect(await screen.findByRole('button', { name: 'Log in' })).toBeDefined();
  expect(await button()).toBeDefined();
  expect(server.calls('POST /api/auth/oidc/session')).toHaveLength(0);
});

test('reports a sign-in that took too long and lets the person repeat it', async () => {
  withProvider().on('POST /api/auth/oidc/session', {
    status: 409,
    json: { error: 'This sign-in took too long or was already used. Please try again.', code: 'sign_in_expired' },
  });
  renderApp('/login?sso=ready');
  expect((await screen.findByRole('alert')).textContent).toContain('took too long');
  expect(await button()).toBeDefined();
  expect(session.token()).toBeNull();
});

const toConnect = () =>
  withProvider()
    .on('POST /api/auth/oidc/session', {
      status: 409,
      json: {
        error: 'An account with the email greta@example.com already exists. Log in with its password once.',
        code: 'account_to_connect',
        details: [{ email: 'greta@example.com' }],
      },
    })
    .on('POST /api/auth/login', { json: { token: aToken(), user: aUser() } })
    .on('GET /api/auth/me', { json: aUser() });

test('connects an existing account to the provider once the person has logged in with its password', async () => {
  const server = toConnect().on('POST /api/auth/oidc/connect', {
    json: { message: 'You can now sign in with Halden ID.' },
  });
  const { user, router } = renderApp('/login?sso=ready');
  expect(await screen.findByText(/An account with the email greta@example.com already exists/)).toBeDefined();
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('greta@example.com'));
  expect(screen.queryByRole('link', { name: /Continue with/ })).toBeNull();
  await user.type(screen.getByLabelText('Password'), 'three-old-oak-trees');
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
  expect(server.calls('POST /api/auth/oidc/connect')[0]?.headers.get('authorization')).toBe(`Bearer ${aToken()}`);
  expect(await screen.findByText('You can now sign in with Halden ID.')).toBeDefined();
});

test('the login succeeds with a message if the account can’t be connected', async () => {
  toConnect().on('POST /api/auth/oidc/connect', {
    status: 409,
    json: { error: 'This sign-in took too long or was already used. Please try again.', code: 'sign_in_expired' },
  });
  const { user, router } = renderApp('/login?sso=ready');
  await user.type(await screen.findByLabelText('Password'), 'three-old-oak-trees');
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
  expect(await screen.findByText('Not connected')).toBeDefined();
});

test('doesn’t connect an account with a different address', async () => {
  const server = toConnect();
  const { user, router } = renderApp('/login?sso=ready');
  const email = await screen.findByLabelText('Email');
  await user.clear(email);
  await user.type(email, 'priya@example.com');
  await user.type(screen.getByLabelText('Password'), 'three-old-oak-trees');
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
  expect(server.calls('POST /api/auth/oidc/connect')).toHaveLength(0);
});
