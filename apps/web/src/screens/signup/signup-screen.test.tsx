import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { session } from '../../lib/session/session.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { problemAt } from '../../testing/problem-at.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

async function openForm(kind: 'Personal' | 'Organization') {
  const app = renderApp('/signup');
  await app.user.click(await screen.findByRole('radio', { name: new RegExp(kind) }));
  return app;
}

test('the URL prefix follows the name until the person edits it', async () => {
  startFakeServer();
  const { user } = await openForm('Organization');
  const prefix = () => screen.getByLabelText<HTMLInputElement>('Organization URL prefix').value;
  await user.type(screen.getByLabelText('Organization Name'), 'Halden & Works  GmbH');
  expect(prefix()).toBe('halden-works-gmbh');
  await user.clear(screen.getByLabelText('Organization URL prefix'));
  await user.type(screen.getByLabelText('Organization URL prefix'), 'HW!x');
  await user.type(screen.getByLabelText('Organization Name'), ' Two');
  expect(prefix().endsWith('hwx')).toBe(true);
});

test('checks the prefix while it is typed and reports if it is taken', async () => {
  const server = startFakeServer().on('GET /api/auth/slug', ({ query }) => ({
    json: { available: query.get('slug') !== 'halden' },
  }));
  const { user } = await openForm('Organization');
  await user.type(screen.getByLabelText('Organization Name'), 'Halden');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('halden is taken. Choose another one.'));
  expect(screen.getByLabelText('Organization URL prefix').getAttribute('aria-invalid')).toBe('true');
  await user.type(screen.getByLabelText('Organization URL prefix'), '-works');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('halden-works is free'));
  expect(screen.getByLabelText('Organization URL prefix').getAttribute('aria-invalid')).toBeNull();
  // There is one request per pause in typing, not one per letter.
  expect(server.calls('GET /api/auth/slug').length).toBeLessThan('Halden-works'.length);
});

test('shows no errors on untouched fields', async () => {
  startFakeServer();
  const { user } = await openForm('Organization');
  for (let step = 0; step < 12; step++) await user.tab();
  await user.type(screen.getByLabelText('Email'), 'mara');
  await user.tab();
  await waitFor(() => expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true'));
  const reported = [...document.querySelectorAll('[aria-invalid="true"]')];
  expect(reported).toEqual([screen.getByLabelText('Email')]);
});

test('doesn’t send an organization account without a name and prefix', async () => {
  const server = startFakeServer();
  const { user } = await openForm('Organization');
  await user.click(screen.getByRole('button', { name: 'Create Organization Account' }));
  await problemAt('Organization Name', 'Organization name and URL are required for organization accounts');
  expect(screen.getByText('Email is required')).toBeDefined();
  expect(screen.getByText('Full name is required')).toBeDefined();
  expect(screen.getByText('Password must be at least 6 characters long')).toBeDefined();
  expect(server.calls('POST /api/auth/signup')).toHaveLength(0);
});

test('explains how to get access if sign-up is closed', async () => {
  startFakeServer().on('GET /api/auth/oidc', { json: { label: null, passwords: true, signUp: 'closed', domains: [] } });
  renderApp('/signup');
  expect(await screen.findByText('Sign-up is closed. Ask an owner or admin for an invitation.')).toBeDefined();
  expect(screen.queryByRole('button', { name: /Create/ })).toBeNull();
});

test('sends people to the provider if accounts can’t have passwords', async () => {
  startFakeServer().on('GET /api/auth/oidc', {
    json: { label: 'Halden ID', passwords: false, signUp: 'open', domains: [] },
  });
  renderApp('/signup');
  expect(await screen.findByText('Accounts are created here by signing in with Halden ID.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Continue with Halden ID' })).toBeDefined();
  expect(screen.queryByRole('button', { name: /Create/ })).toBeNull();
});

test('lists the domains whose addresses can sign up', async () => {
  const domains = ['halden.example', 'nordlicht.example'];
  startFakeServer().on('GET /api/auth/oidc', { json: { label: null, passwords: true, signUp: 'domains', domains } });
  renderApp('/signup');
  expect(await screen.findByText(/Only addresses at halden.example, nordlicht.example can sign up here/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Create Personal Account' })).toBeDefined();
});

test('a personal account is created with the role of an editor and opens the app with its token', async () => {
  const token = aToken();
  const server = startFakeServer()
    .on('POST /api/auth/signup', { status: 201, json: { token, user: aUser() } })
    .on('GET /api/auth/me', { json: aUser() });
  const { user, router } = await openForm('Personal');
  expect(screen.queryByLabelText('Organization Name')).toBeNull();
  await user.type(screen.getByLabelText('Email'), 'priya@example.com');
  await user.type(screen.getByLabelText('Full Name'), 'Priya Nair');
  await user.type(screen.getByLabelText('Password'), 'oak-trees');
  await user.click(screen.getByRole('button', { name: 'Create Personal Account' }));

  await waitFor(() => expect(router.state.location.pathname.startsWith('/app')).toBe(true));
  expect(session.token()).toBe(token);
  expect(server.calls('POST /api/auth/signup')[0]?.body).toEqual({
    email: 'priya@example.com',
    name: 'Priya Nair',
    password: 'oak-trees',
    accountType: 'personal',
    role: 'editor',
  });
});

test('reports a taken prefix next to its field and keeps the input', async () => {
  const server = startFakeServer().on('POST /api/auth/signup', {
    status: 409,
    json: { error: 'This URL prefix is taken', code: 'slug_taken' },
  });
  const { user } = await openForm('Organization');
  await user.type(screen.getByLabelText('Organization Name'), 'Halden Works');
  await user.type(screen.getByLabelText('Email'), 'mara@example.com');
  await user.type(screen.getByLabelText('Full Name'), 'Mara Lindqvist');
  await user.click(screen.getByRole('radio', { name: /Reviewer/ }));
  await user.type(screen.getByLabelText('Password'), 'oak-trees');
  await user.click(screen.getByRole('button', { name: 'Create Organization Account' }));

  await problemAt('Organization URL prefix', 'This URL prefix is taken');
  expect(screen.getByLabelText<HTMLInputElement>('Full Name').value).toBe('Mara Lindqvist');
  expect(server.calls('POST /api/auth/signup')[0]?.body).toMatchObject({
    role: 'reviewer',
    organizationSlug: 'halden-works',
  });
});

test('shows a message and opens the login if the response has no token', async () => {
  startFakeServer().on('POST /api/auth/signup', { status: 201, json: {} });
  const { user, router } = await openForm('Personal');
  await user.type(screen.getByLabelText('Email'), 'priya@example.com');
  await user.type(screen.getByLabelText('Full Name'), 'Priya Nair');
  await user.type(screen.getByLabelText('Password'), 'oak-trees');
  await user.click(screen.getByRole('button', { name: 'Create Personal Account' }));
  expect(await screen.findByText('Account created! Redirecting…')).toBeDefined();
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'), { timeout: 2000 });
});
