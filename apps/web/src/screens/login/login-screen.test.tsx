import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { session } from '../../lib/session/session.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

test('shows the server’s message after a failed login and keeps the input', async () => {
  startFakeServer().on('POST /api/auth/login', {
    status: 401,
    json: { error: 'Wrong email or password', code: 'wrong_credentials' },
  });
  const { user } = renderApp('/login');
  await user.type(await screen.findByLabelText('Email'), 'priya@example.com');
  await user.type(screen.getByLabelText('Password'), 'not-this-one');
  await user.click(screen.getByRole('button', { name: 'Log in' }));

  expect((await screen.findByRole('alert')).textContent).toContain('Wrong email or password');
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('priya@example.com');
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('not-this-one');
  expect(session.token()).toBeNull();
});

test('shows a response that isn’t JSON as text, or a separate message if there is no response', async () => {
  const server = startFakeServer().on('POST /api/auth/login', { status: 502, text: 'Bad gateway' });
  const { user } = renderApp('/login');
  await user.click(await screen.findByRole('button', { name: 'Log in' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Bad gateway');
  server.goDown();
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('can’t be reached'));
});

test('shows "An error occurred" for a response without a message', async () => {
  startFakeServer().on('POST /api/auth/login', { status: 500, text: '' });
  const { user } = renderApp('/login');
  await user.click(await screen.findByRole('button', { name: 'Log in' }));
  expect((await screen.findByRole('alert')).textContent).toContain('An error occurred');
});

test('returns to the page that the visitor wanted to open', async () => {
  const token = aToken();
  const server = startFakeServer()
    .on('POST /api/auth/login', { json: { token, user: aUser() } })
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/runs', { json: [] });
  const { user, router } = renderApp('/app/runs?q=nord');
  await user.type(await screen.findByLabelText('Email'), 'priya@example.com');
  expect(router.state.location.pathname).toBe('/login');
  await user.type(screen.getByLabelText('Password'), 'three-old-oak-trees');
  await user.click(screen.getByRole('button', { name: 'Log in' }));

  expect(await screen.findByRole('heading', { name: 'Runs' })).toBeDefined();
  expect(router.state.location.search).toBe('?q=nord');
  expect(server.calls('POST /api/auth/login')[0]?.headers.has('authorization')).toBe(false);
});

test('shows the previous page’s message and prefills the address', async () => {
  startFakeServer();
  const { router } = renderApp('/login');
  await screen.findByLabelText('Email');
  await router.navigate('/signup');
  await screen.findByRole('heading', { name: 'Create Account' });
  await router.navigate('/login', {
    state: { message: 'Account created successfully! Please log in.', email: 'greta@example.com' },
  });
  expect(await screen.findByText('Account created successfully! Please log in.')).toBeDefined();
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe('greta@example.com');
});
