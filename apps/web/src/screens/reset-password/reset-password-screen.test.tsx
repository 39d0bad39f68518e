import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const TOKEN = 'a-token-of-more-than-twenty-characters';

test('opens from the login with the typed address and doesn’t reveal whether the account exists', async () => {
  const server = startFakeServer().on('POST /api/auth/reset-request', { json: { message: 'ok' } });
  const { user } = renderApp('/login');
  await user.type(await screen.findByLabelText('Email'), 'priya@example.com');
  await user.click(screen.getByRole('link', { name: 'Forgot password?' }));
  expect(await screen.findByRole('heading', { name: 'Reset password' })).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('priya@example.com');
  await user.click(screen.getByRole('button', { name: 'Send reset link' }));
  expect(await screen.findByText('If the email exists, we sent reset instructions.')).toBeDefined();
  expect(server.calls('POST /api/auth/reset-request')[0]?.body).toEqual({ email: 'priya@example.com' });
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login');
});

test('shows the progress, then the server’s message after a failure', async () => {
  let fail: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (fail = resolve));
  startFakeServer().on('POST /api/auth/reset-request', async () => {
    await answered;
    return { status: 429, json: { error: 'Too many tries. Please wait a minute.', code: 'too_many_requests' } };
  });
  const { user } = renderApp('/reset-password');
  await user.type(await screen.findByLabelText('Email'), 'priya@example.com');
  await user.click(screen.getByRole('button', { name: 'Send reset link' }));
  expect(await screen.findByRole('button', { name: 'Sending…' })).toBeDefined();
  fail();
  expect((await screen.findByRole('alert')).textContent).toContain('Too many tries');
  expect(screen.queryByText(/we sent reset instructions/)).toBeNull();
});

test('sets a new password with the mailed token and confirms it on the login page', async () => {
  const server = startFakeServer().on('POST /api/auth/reset', {
    json: { message: 'Your address is now mara@halden.example.' },
  });
  const { user, router } = renderApp(`/reset-password?token=${TOKEN}`);
  await user.type(await screen.findByLabelText('New password'), 'short');
  await user.type(screen.getByLabelText('Confirm new password'), 'other');
  await user.click(screen.getByRole('button', { name: 'Set new password' }));
  expect(screen.getByText('Password must be at least 6 characters long')).toBeDefined();
  expect(screen.getByText('Passwords do not match')).toBeDefined();
  expect(server.requests).toHaveLength(0);

  for (const label of ['New password', 'Confirm new password']) {
    await user.clear(screen.getByLabelText(label));
    await user.type(screen.getByLabelText(label), 'three-old-oak-trees');
  }
  await user.click(screen.getByRole('button', { name: 'Set new password' }));
  expect(await screen.findByText('Your address is now mara@halden.example.')).toBeDefined();
  expect(router.state.location.pathname).toBe('/login');
  expect(server.calls('POST /api/auth/reset')[0]?.body).toEqual({ token: TOKEN, password: 'three-old-oak-trees' });
});

test('offers to request a new link if the link has expired or was already used', async () => {
  startFakeServer().on('POST /api/auth/reset', {
    status: 404,
    json: { error: 'This link has expired or was already used. Please request a new one.', code: 'link_expired' },
  });
  const { user } = renderApp(`/reset-password?token=${TOKEN}`);
  await user.type(await screen.findByLabelText('New password'), 'three-old-oak-trees');
  await user.type(screen.getByLabelText('Confirm new password'), 'three-old-oak-trees');
  await user.click(screen.getByRole('button', { name: 'Set new password' }));
  expect((await screen.findByRole('alert')).textContent).toContain('This link has expired');
  await user.click(screen.getByRole('link', { name: 'Request a new link' }));
  expect(await screen.findByRole('button', { name: 'Send reset link' })).toBeDefined();
});
