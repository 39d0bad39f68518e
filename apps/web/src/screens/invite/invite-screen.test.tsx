import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draftKey } from '../../features/runs/model/typed-input.ts';
import { session } from '../../lib/session/session.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import { anInvitation } from '../../testing/people.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ADDRESS = '/invite/abcdefghijklmnopqrstuvwxyz';
const GRETA = { name: 'Greta Holm', email: 'greta.holm@haldenworks.example' };

const invited = () => startFakeServer().on('GET /api/invitations/*', { json: anInvitation() });

test('shows that an invitation wasn’t found and links to the login', async () => {
  startFakeServer().on('GET /api/invitations/*', { status: 404, json: { error: 'Gone', code: 'not_found' } });
  const { user, router } = renderApp(ADDRESS);
  const heading = await screen.findByRole('heading', { name: /^Invitation Not Found/ });
  expect(heading.textContent).toBe('Invitation Not Found: This invitation link may have expired or been revoked.');
  await user.click(screen.getByRole('link', { name: 'Go to Login' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
});

test('shows why an invitation can’t be loaded and offers a retry', async () => {
  const server = startFakeServer().on('GET /api/invitations/*', { status: 500, text: '' });
  const { user } = renderApp(ADDRESS);
  expect(await screen.findByRole('heading', { name: 'Invalid Invitation' })).toBeDefined();
  expect(screen.getByRole('alert').textContent).toContain('Failed to load invitation');
  expect(screen.getByRole('link', { name: 'Go to Login' })).toBeDefined();
  server.on('GET /api/invitations/*', { json: anInvitation() });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: "You're Invited!" })).toBeDefined();
});

test('the form shows the invitation’s details and validates before sending', async () => {
  const server = invited();
  const { user } = renderApp(ADDRESS);
  expect(await screen.findByRole('heading', { name: "You're Invited!" })).toBeDefined();
  expect((await screen.findByText('Organization')).nextElementSibling?.textContent).toBe('Halden Works');
  expect(screen.getByText(/^Priya Nair invited you to join/).textContent).toContain('Halden Works as Reviewer');
  const name = await screen.findByLabelText('Full Name');
  expect(document.activeElement).toBe(name);
  expect(screen.getByText('Role').nextElementSibling?.textContent).toContain('Reviewer');
  expect(screen.getByText('Expires').nextElementSibling?.textContent).toBe('27 Nov 2026');
  const email = screen.getByLabelText<HTMLInputElement>('Email');
  expect(email.value).toBe(GRETA.email);
  expect(email.readOnly).toBe(true);

  await user.type(screen.getByLabelText('Password'), 'short');
  await user.click(screen.getByRole('button', { name: 'Accept Invitation' }));
  expect(await screen.findByText('Full name is required')).toBeDefined();
  expect(screen.getByText('Password must be at least 6 characters long')).toBeDefined();
  expect(screen.getByText('Passwords do not match')).toBeDefined();
  expect(server.requests.filter(({ key }) => key.startsWith('POST'))).toHaveLength(0);
});

async function fillIn(user: ReturnType<typeof renderApp>['user']) {
  await user.type(await screen.findByLabelText('Full Name'), ` ${GRETA.name} `);
  await user.type(screen.getByLabelText('Password'), 'three-old-oak-trees');
  await user.type(screen.getByLabelText('Confirm Password'), 'three-old-oak-trees');
}

test('accepting creates the account and opens the login with a welcome and the filled-in address', async () => {
  let finish: () => void = () => undefined;
  const made = new Promise<void>((resolve) => (finish = resolve));
  const server = invited().on('POST /api/invitations/*/accept', async () => {
    await made;
    return { status: 201, json: { organization: { id: anInvitation().organization.id, name: 'Halden Works' } } };
  });
  const { user, router } = renderApp(ADDRESS);
  await fillIn(user);
  await user.click(screen.getByRole('button', { name: 'Accept Invitation' }));
  expect(await screen.findByRole('button', { name: 'Creating Account...' })).toBeDefined();
  finish();
  expect(await screen.findByText('Account created successfully! Please log in.')).toBeDefined();
  expect(screen.getByText('Welcome!')).toBeDefined();
  expect(screen.getByText("You've successfully joined Halden Works")).toBeDefined();
  expect(router.state.location.pathname).toBe('/login');
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe(GRETA.email);
  expect(document.activeElement).toBe(screen.getByLabelText('Password'));
  const sent = server.calls('POST /api/invitations/*/accept')[0];
  expect(sent?.body).toEqual({ name: GRETA.name, password: 'three-old-oak-trees' });
  expect(sent?.headers.has('authorization')).toBe(false);
});

test('shows a refusal in the form and keeps the input', async () => {
  invited().on('POST /api/invitations/*/accept', {
    status: 409,
    json: { error: 'You already have an account with this email. Please sign in to accept.', code: 'account_exists' },
  });
  const { user } = renderApp(ADDRESS);
  await fillIn(user);
  await user.click(screen.getByRole('button', { name: 'Accept Invitation' }));
  expect(await screen.findByText('Failed to accept invitation')).toBeDefined();
  expect(screen.getByText('Error')).toBeDefined();
  expect(screen.getByText(/You already have an account with this email/)).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Confirm Password').value).toBe('three-old-oak-trees');
});

test('a person with an account signs in, returns, and joins with one click', async () => {
  const token = aToken();
  const server = invited()
    .on('POST /api/auth/login', { json: { token, user: aUser(GRETA) } })
    .on('GET /api/auth/me', { json: aUser(GRETA) })
    .on('POST /api/invitations/*/join', { json: { organization: { id: aUser().currentOrgId, name: 'Halden Works' } } });
  const { user, router } = renderApp(ADDRESS);
  await user.click(await screen.findByRole('link', { name: 'Already have an account? Sign in' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe(GRETA.email);
  await user.type(screen.getByLabelText('Password'), 'three-old-oak-trees');
  await user.click(screen.getByRole('button', { name: 'Log in' }));

  expect(await screen.findByText(/You are signed in as Greta Holm/)).toBeDefined();
  expect(screen.queryByLabelText('Password')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Accept Invitation' }));
  expect(await screen.findByText("You've successfully joined Halden Works")).toBeDefined();
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
  expect(server.calls('POST /api/invitations/*/join')).toHaveLength(1);
});

test('a person who is signed in with a different address can log out to continue', async () => {
  invited().on('GET /api/auth/me', { json: aUser() });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const note = await screen.findByText(/you are signed in as/);
  expect(note.textContent).toContain(GRETA.email);
  expect(note.textContent).toContain('priya.nair@haldenworks.example');
  expect(screen.queryByRole('button', { name: 'Accept Invitation' })).toBeNull();
  localStorage.setItem(draftKey('p1/r1'), '{}');
  await user.click(screen.getByRole('button', { name: 'Log out' }));
  expect(await screen.findByRole('button', { name: 'Accept Invitation' })).toBeDefined();
  expect(session.token()).toBeNull();
  expect(localStorage.getItem(draftKey('p1/r1'))).toBeNull();
});
