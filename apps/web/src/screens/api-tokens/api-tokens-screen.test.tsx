import type { ApiToken } from '@stet/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import { anOwner, inNordlicht } from '../../testing/people.ts';
import { aToken } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ADDRESS = '/app/settings/tokens';
const OF_ORG = '/api/organizations/*/tokens';
const SECRET = `stet_pat_${'x'.repeat(43)}`;

function aRecord(change: Partial<ApiToken> = {}): ApiToken {
  const { id, name, email } = anOwner();
  return {
    id: '0199aaaa-0000-7000-8000-0000000000d1',
    kind: 'personal',
    name: 'Build server',
    scopes: ['workflow.read', 'run.start'],
    role: null,
    owner: { id, name, email },
    ending: 'a1b2',
    createdAt: '2026-11-01T08:00:00.000Z',
    expiresAt: '2026-12-01T08:00:00.000Z',
    lastUsedAt: null,
    ...change,
  };
}

const asOwner = () =>
  startFakeServer()
    .on('GET /api/auth/me', { json: anOwner() })
    .on('GET /api/tokens', { json: [] })
    .on(`GET ${OF_ORG}`, { json: [] });

test('creates a token with the chosen permissions and shows it once', async () => {
  const server = asOwner().on('POST /api/tokens', { status: 201, json: { secret: SECRET, token: aRecord() } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New personal token' }));
  expect(dialog.queryByRole('checkbox', { name: 'Manage the organization' })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Create token' }));
  expect(await dialog.findByText('Enter a name for the token')).toBeDefined();
  await user.type(dialog.getByLabelText('Name'), 'Build server');
  await user.click(dialog.getByRole('checkbox', { name: 'Start runs' }));
  const offered = dialog.getByLabelText<HTMLSelectElement>('Expires after');
  expect(offered.value).toBe('90');
  expect([...offered.options].map(({ text }) => text)).toEqual(['7 days', '30 days', '90 days', 'A year']);
  await user.selectOptions(offered, '30 days');
  await user.click(dialog.getByRole('button', { name: 'Create token' }));

  const shown = within(await screen.findByRole('dialog', { name: 'Your new token' }));
  expect(shown.getByLabelText<HTMLInputElement>('Token').value).toBe(SECRET);
  expect(server.calls('POST /api/tokens')[0]?.body).toEqual({
    name: 'Build server',
    scopes: ['workflow.read', 'run.start'],
    expiresInDays: 30,
  });
  await user.click(shown.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(SECRET);
  await user.click(shown.getByRole('button', { name: 'Done' }));
  expect(screen.queryByDisplayValue(SECRET)).toBeNull();
});

test('offers a role for an organization token, but no permissions reserved for people', async () => {
  const made = { secret: SECRET, token: aRecord({ kind: 'organization', role: 'admin' }) };
  const server = asOwner().on(`POST ${OF_ORG}`, { status: 201, json: made });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'New organization token' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New organization token' }));
  await user.type(dialog.getByLabelText('Name'), 'Robot');
  await user.selectOptions(dialog.getByLabelText('Role'), 'Admin');
  expect(dialog.getByRole('option', { name: 'Never' })).toBeDefined();
  expect(dialog.queryByRole('checkbox', { name: /Approve/ })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Create token' }));
  expect(await screen.findByRole('dialog', { name: 'The new organization token' })).toBeDefined();
  expect(server.calls(`POST ${OF_ORG}`)[0]?.body).toMatchObject({ role: 'admin', scopes: ['workflow.read'] });
});

test('asks before revoking a token, and shows an error in the dialog', async () => {
  const server = asOwner()
    .on('GET /api/tokens', { json: [aRecord()] })
    .on('DELETE /api/tokens/*', { status: 404, json: { error: 'It is gone', code: 'not_found' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Revoke Build server, ending in a1b2' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Revoke this token?' }));
  await user.click(dialog.getByRole('button', { name: 'Revoke' }));
  expect(await dialog.findByText('It is gone')).toBeDefined();
  server.on('DELETE /api/tokens/*', { json: { message: 'ok' } }).on('GET /api/tokens', { json: [] });
  await user.click(dialog.getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('Token revoked')).toBeDefined();
});

test('people who don’t manage the organization see only their own tokens', async () => {
  const server = startFakeServer()
    .on('GET /api/auth/me', { json: inNordlicht(anOwner()) })
    .on('GET /api/tokens', { json: [aRecord({ expiresAt: '2020-01-01T00:00:00.000Z' })] });
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('Expired')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'New organization token' })).toBeNull();
  expect(server.calls(`GET ${OF_ORG}`)).toHaveLength(0);
});

test('offers a retry if the tokens can’t be loaded', async () => {
  const server = asOwner().on('GET /api/tokens', { status: 500, json: { error: 'Out of order', code: 'internal' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('Error loading tokens')).toBeDefined();
  server.on('GET /api/tokens', { json: [aRecord()] });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Build server')).toBeDefined();
});

test('recommends replacing a personal token without an expiry date', async () => {
  asOwner().on('GET /api/tokens', {
    json: [aRecord({ expiresAt: null }), aRecord({ id: aRecord().id.replace('d1', 'd2') })],
  });
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findAllByText('No expiry: replace it')).toHaveLength(1);
});
