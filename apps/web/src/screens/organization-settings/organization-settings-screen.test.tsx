import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import { anOwner, anOwnerOf, inNordlicht, members, organizationSettings } from '../../testing/people.ts';
import { aPersonalUser, aToken } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ADDRESS = '/app/settings/organization';
const ORGANIZATION = '/api/organizations/*';
const open = (user = anOwner()) =>
  startFakeServer()
    .on('GET /api/auth/me', { json: user })
    .on(`GET ${ORGANIZATION}/users`, { json: members() })
    .on(`GET ${ORGANIZATION}`, { json: organizationSettings() });

test('name and required approvals are changed; only what changed is sent', async () => {
  const server = open().on(`PATCH ${ORGANIZATION}`, { json: organizationSettings({ requiredApprovals: 2 }) });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const approvals = await screen.findByLabelText('Required approvals');
  expect(screen.getByLabelText<HTMLInputElement>('Organization URL prefix').readOnly).toBe(true);
  await user.clear(approvals);
  await user.type(approvals, '21');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('A whole number from 0 to 20')).toBeDefined();
  await user.clear(approvals);
  await user.type(approvals, '2');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Organization saved')).toBeDefined();
  expect(server.calls(`PATCH ${ORGANIZATION}`).map(({ body }) => body)).toEqual([{ requiredApprovals: 2 }]);
});

test('a new name stands in the top bar', async () => {
  const server = open().on(`PATCH ${ORGANIZATION}`, () => {
    server.on('GET /api/auth/me', { json: anOwnerOf('Fjord') });
    return { json: organizationSettings({ name: 'Fjord' }) };
  });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const name = await screen.findByLabelText('Organization Name');
  await user.clear(name);
  await user.type(name, 'Fjord');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('button', { name: 'Organization: Fjord' })).toBeDefined();
});

test('the last owner reads why leaving is not possible', async () => {
  open();
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('The last owner stays: make someone else an owner first.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Leave organization' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('who may not manage reads the settings and can leave', async () => {
  open(inNordlicht(anOwner()));
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('Only owners and admins can change these settings.')).toBeDefined();
  expect((await screen.findByLabelText<HTMLInputElement>('Required approvals')).readOnly).toBe(true);
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Leave organization' }));
  expect(await screen.findByRole('dialog', { name: 'Leave Nordlicht?' })).toBeDefined();
});

test('a personal account has a name, no approvals and no way to leave', async () => {
  open(aPersonalUser()).on(`GET ${ORGANIZATION}`, {
    json: organizationSettings({ type: 'individual', slug: null, name: 'Priya Nair', requiredApprovals: 0 }),
  });
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText(/This is your personal account/)).toBeDefined();
  expect(screen.queryByLabelText('Required approvals')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Leave organization' })).toBeNull();
});
