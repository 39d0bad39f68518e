import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import { anOwner, sessions } from '../../testing/people.ts';
import { aToken } from '../../testing/records.ts';
import { problemAt } from '../../testing/problem-at.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ADDRESS = '/app/settings/profile';
const open = () =>
  startFakeServer().on('GET /api/auth/me', { json: anOwner() }).on('GET /api/users/me/sessions', { json: sessions() });

test('the user menu opens the settings', async () => {
  open().on('GET /api/runs', { json: [] });
  const { user, router } = renderApp('/app/runs', { token: aToken() });
  await user.click(await screen.findByRole('button', { name: /Account and theme/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Profile' }));
  expect(await screen.findByRole('heading', { name: 'Profile' })).toBeDefined();
  expect(router.state.location.pathname).toBe(ADDRESS);
  expect(screen.getByRole('link', { name: 'Members' }).getAttribute('href')).toBe('/app/settings/members');
});

test('a new name is saved and appears in the top bar immediately', async () => {
  const server = open().on('PATCH /api/users/me', { json: anOwner({ name: 'Priya Nair-Holm' }) });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const name = await screen.findByLabelText('Full Name');
  await user.clear(name);
  await user.click(screen.getByRole('button', { name: 'Save name' }));
  expect(await screen.findByText('Full name is required')).toBeDefined();
  server.on('GET /api/auth/me', { json: anOwner({ name: 'Priya Nair-Holm' }) });
  await user.type(name, '  Priya Nair-Holm ');
  await user.click(screen.getByRole('button', { name: 'Save name' }));
  expect(await screen.findByRole('button', { name: 'Account and theme: Priya Nair-Holm' })).toBeDefined();
  expect(server.calls('PATCH /api/users/me')[0]?.body).toEqual({ name: 'Priya Nair-Holm' });
});

test('changing the password needs the current one; a wrong one is reported next to its field', async () => {
  const server = open().on('POST /api/users/me/password', {
    status: 403,
    json: { error: 'The current password is wrong', code: 'wrong_password' },
  });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Change password' }));
  expect(await screen.findByText('Current password is required')).toBeDefined();
  expect(screen.getByText('Password must be at least 6 characters long')).toBeDefined();
  expect(server.calls('POST /api/users/me/password')).toHaveLength(0);

  await user.type(screen.getByLabelText('Current password'), 'not-it');
  await user.type(screen.getByLabelText('New password'), 'three-old-oak-trees');
  await user.type(screen.getByLabelText('Confirm new password'), 'three-old-oak-trees');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  await problemAt('Current password', 'The current password is wrong');
  expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('three-old-oak-trees');

  server.on('POST /api/users/me/password', { json: { message: 'ok' } });
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  expect(await screen.findByText(/Your other sessions were signed out/)).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('');
  expect(server.calls('POST /api/users/me/password').at(-1)?.body).toEqual({
    currentPassword: 'not-it',
    password: 'three-old-oak-trees',
    endTokens: false,
  });
});

test('also revokes API tokens when the password is changed, if requested', async () => {
  const server = open().on('POST /api/users/me/password', { json: { message: 'ok' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.type(await screen.findByLabelText('Current password'), 'the one of now');
  await user.type(screen.getByLabelText('New password'), 'three-old-oak-trees');
  await user.type(screen.getByLabelText('Confirm new password'), 'three-old-oak-trees');
  await user.click(screen.getByRole('checkbox', { name: /Also revoke my personal API tokens/ }));
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  expect(await screen.findByText(/and your personal API tokens were revoked/)).toBeDefined();
  expect(server.calls('POST /api/users/me/password')[0]?.body).toMatchObject({ endTokens: true });
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /Also revoke my personal/ }).checked).toBe(false);
});

test('other sessions can be ended, but not the current one', async () => {
  const server = open().on('DELETE /api/users/me/sessions/*', { json: { message: 'ok' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('this browser')).toBeDefined();
  const buttons = screen.getAllByRole('button', { name: /^Sign out/ });
  expect(buttons).toHaveLength(1);
  server.on('GET /api/users/me/sessions', { json: sessions().slice(0, 1) });
  await user.click(screen.getByRole('button', { name: /^Sign out Safari on iPhone/ }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Sign out/ })).toBeNull());
  expect(server.calls('DELETE /api/users/me/sessions/*')[0]?.path).toContain(sessions()[1]?.id);
});

test('marks the chosen theme in the menu', async () => {
  open();
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Dark' }));
  expect(document.documentElement.dataset['theme']).toBe('dark');
  await user.click(screen.getByRole('button', { name: /Account and theme/ }));
  const dark = await screen.findByRole('menuitemradio', { name: 'Dark' });
  expect(dark.getAttribute('aria-checked')).toBe('true');
  await user.click(screen.getByRole('menuitemradio', { name: 'System' }));
  expect(screen.getByRole('button', { name: 'System' }).getAttribute('aria-pressed')).toBe('true');
});

const CODE = 'POST /api/auth/prove-address/code';
const PROVE = 'POST /api/auth/prove-address';

test('the mailed code proves the address', async () => {
  const unproved = anOwner({ provedBy: null });
  const server = open()
    .on('GET /api/auth/me', { json: unproved })
    .on(CODE, { json: { message: `We sent a code to ${unproved.email}.` } })
    .on(PROVE, {
      status: 400,
      json: { error: 'This is not the code we emailed you. Enter it again, or request a new one.', code: 'wrong_code' },
    });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText(/^Address not proved. Until it is proved, your actions also count/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Prove your address' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Prove your address' }));
  await user.click(dialog.getByRole('button', { name: 'Send code' }));
  expect((await dialog.findByRole('status')).textContent).toBe(`We sent a code to ${unproved.email}.`);
  expect(document.activeElement).toBe(dialog.getByLabelText('Code'));

  await user.click(dialog.getByRole('button', { name: 'Prove address' }));
  expect(await dialog.findByText('Enter the code from the email')).toBeDefined();
  await user.type(dialog.getByLabelText('Code'), ' ABCD2345 ');
  await user.click(dialog.getByRole('button', { name: 'Prove address' }));
  expect(
    await dialog.findByText('This is not the code we emailed you. Enter it again, or request a new one.'),
  ).toBeDefined();
  expect(dialog.getByLabelText<HTMLInputElement>('Code').value).toBe(' ABCD2345 ');

  server.on(PROVE, () => {
    server.on('GET /api/auth/me', { json: anOwner() });
    return { json: anOwner() };
  });
  await user.click(dialog.getByRole('button', { name: 'Prove address' }));
  expect(await screen.findByText('Address proved')).toBeDefined();
  expect(await screen.findByText(/^Address proved by email. Your actions count only as your own/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Prove your address' })).toBeNull();
  expect(server.calls(PROVE).at(-1)?.body).toEqual({ code: 'ABCD2345' });
});

test('reports a code that can’t be sent and lets founders prove their address', async () => {
  open()
    .on('GET /api/auth/me', { json: anOwner({ provedBy: 'founder' }) })
    .on(CODE, { status: 429, json: { error: 'Too many codes. Try again in an hour.', code: 'too_many_requests' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText(/In this organization, you need a proof only for strict reviews/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Prove your address' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Send code' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Too many codes. Try again in an hour.');
});

test('other settings explain what requires a proved address and offer to prove it', async () => {
  open().on('GET /api/auth/me', {
    json: anOwner({ provedBy: null, orgPermissions: ['workflow.read'], withheldPermissions: ['org.manage'] }),
  });
  renderApp('/app/settings/confirmations', { token: aToken() });
  expect(await screen.findByText('You can manage this organization once your address is proved.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Prove your address' })).toBeDefined();
  expect(screen.queryByText(/Only owners and admins/)).toBeNull();
});
