import type { Group } from '@stet/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import { anOwner, inNordlicht, members } from '../../testing/people.ts';
import { aPersonalUser, aToken } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ADDRESS = '/app/settings/groups';
const [priya, sam] = members().map(({ id }) => id);

const aGroup = (change: Partial<Group> = {}): Group => ({
  id: '0199aaaa-0000-7000-8000-0000000000b1',
  slug: 'finance',
  name: 'Finance',
  members: [priya ?? ''],
  pendingRemovals: [],
  ...change,
});
const asOwner = (groups: Group[] = []) =>
  startFakeServer()
    .on('GET /api/auth/me', { json: anOwner() })
    .on('GET /api/organizations/*/users', { json: members() })
    .on('GET /api/groups', { json: groups });

test('creates a group by keyboard, with a slug derived from its name', async () => {
  const server = asOwner();
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('No groups yet')).toBeDefined();
  server.on('POST /api/groups', ({ body }) => {
    server.on('GET /api/groups', { json: [aGroup(Object(body) as Partial<Group>)] });
    return { status: 201, json: aGroup(Object(body) as Partial<Group>) };
  });
  screen.getByRole('button', { name: 'New group' }).focus();
  await user.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: 'New group' }));
  await user.keyboard('Legal & Tax');
  expect(dialog.getByLabelText<HTMLInputElement>('Slug').value).toBe('legal-tax');
  await user.keyboard('{Tab}{Tab}{Tab} ');
  expect(dialog.getByRole('checkbox', { name: 'Sam Okafor' })).toBe(document.activeElement);
  expect(dialog.getByText('1 chosen')).toBeDefined();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('group:legal-tax')).toBeDefined();
  expect(server.calls('POST /api/groups')[0]?.body).toEqual({ name: 'Legal & Tax', slug: 'legal-tax', members: [sam] });
});

test('says next to the slug that it is taken', async () => {
  asOwner().on('POST /api/groups', { status: 409, json: { error: 'Another group has it', code: 'group_slug_taken' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'New group' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New group' }));
  await user.click(dialog.getByRole('button', { name: 'Create group' }));
  expect(await dialog.findByText('Enter a name for the group')).toBeDefined();
  await user.type(dialog.getByLabelText('Name'), 'Finance');
  await user.click(dialog.getByRole('button', { name: 'Create group' }));
  expect(await dialog.findByRole('textbox', { name: /Slug/, description: 'Another group has it' })).toBeDefined();
});

test('changes the name and the members, but not the slug', async () => {
  const server = asOwner([aGroup()]).on('PATCH /api/groups/*', {
    json: aGroup({ name: 'Finance team', members: [sam ?? ''] }),
  });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Change Finance' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change Finance' }));
  expect(dialog.queryByLabelText('Slug')).toBeNull();
  await user.type(dialog.getByLabelText('Name'), ' team');
  await user.click(dialog.getByRole('checkbox', { name: 'Priya Nair' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Sam Okafor' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Group changed')).toBeDefined();
  expect(server.calls('PATCH /api/groups/*')[0]?.body).toEqual({
    name: 'Finance team',
    addMembers: [sam],
    removeMembers: [priya],
  });
});

test('says that a removal waits for another owner or admin, and who would be removed', async () => {
  const proposedBy = { id: sam ?? '', name: 'Sam Okafor', email: 'sam@nordlicht.example' };
  const removal = { members: [priya ?? ''], proposedBy, proposedAt: '2026-03-01T09:00:00.000Z' };
  const waiting = aGroup({ pendingRemovals: [removal] });
  const server = asOwner([aGroup()]).on('PATCH /api/groups/*', () => {
    server.on('GET /api/groups', { json: [waiting] });
    return { json: waiting };
  });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Change Finance' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change Finance' }));
  expect(dialog.queryByText(/another owner or admin has to confirm/)).toBeNull();
  await user.click(dialog.getByRole('checkbox', { name: 'Priya Nair' }));
  expect(dialog.getByText(/another owner or admin has to confirm/)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Proposed')).toBeDefined();
  const row = (await screen.findByRole('link', { name: 'Open confirmations' })).closest('li');
  expect(row?.textContent?.replaceAll(/[\u2068\u2069]/g, '')).toContain(
    'Sam Okafor proposed to remove Priya Nair. Another owner or admin has to confirm.',
  );
});

test('sends only the changes that were made in the dialog', async () => {
  const server = asOwner([aGroup()]).on('PATCH /api/groups/*', { json: aGroup() });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Change Finance' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change Finance' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Sam Okafor' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Group changed')).toBeDefined();
  expect(server.calls('PATCH /api/groups/*')[0]?.body).toEqual({ addMembers: [sam] });
});

test('lists the group’s members first, and finds people by address in a long list', async () => {
  const many = Array.from({ length: 12 }, (_, n) => ({
    ...members()[1],
    id: `0199aaaa-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`,
    name: `Person ${n}`,
    email: `p${n}@x.example`,
  }));
  asOwner([aGroup({ members: [many[11]?.id ?? ''] })]).on('GET /api/organizations/*/users', { json: many });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Change Finance' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change Finance' }));
  expect(dialog.getAllByRole('checkbox')[0]).toBe(dialog.getByRole('checkbox', { name: 'Person 11' }));
  await user.type(dialog.getByRole('searchbox', { name: 'Search members' }), 'p7@');
  expect(dialog.getAllByRole('checkbox')).toHaveLength(1);
  await user.type(dialog.getByRole('searchbox', { name: 'Search members' }), 'zz');
  expect(dialog.getByText('Nobody found')).toBeDefined();
});

test('links to the workflows that still name a group, and deletes the group once none does', async () => {
  const naming = { key: 'paid', title: 'Payment', isLive: true, drafts: 0, runs: 2 };
  const server = asOwner([aGroup()]).on('DELETE /api/groups/*', {
    status: 409,
    json: { error: 'In use', code: 'group_in_use', details: [naming] },
  });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Delete Finance' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete the group Finance?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect((await dialog.findByRole('link', { name: 'Payment' })).closest('li')?.textContent).toBe(
    'Payment: live version, 2 open runs',
  );
  server.on('DELETE /api/groups/*', { json: { message: 'Group deleted' } }).on('GET /api/groups', { json: [] });
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('No groups yet')).toBeDefined();
  expect(server.calls('DELETE /api/groups/*').map(({ path }) => path)).toEqual(
    [1, 2].map(() => `/api/groups/${aGroup().id}`),
  );
});

test('people who can’t manage the organization only see the groups', async () => {
  asOwner([aGroup(), aGroup({ id: 'b', slug: 'qa', name: 'Quality', members: [] })]).on('GET /api/auth/me', {
    json: inNordlicht(anOwner()),
  });
  renderApp(ADDRESS, { token: aToken() });
  const list = within((await screen.findByText('group:finance')).closest('ul') ?? document.body);
  expect(list.getByText('Priya Nair')).toBeDefined();
  expect(list.getByText('Nobody')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'New group' })).toBeNull();
  expect(list.queryByRole('button')).toBeNull();
});

test('reports that a personal account has no groups', async () => {
  startFakeServer().on('GET /api/auth/me', { json: aPersonalUser() });
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('A personal account has no groups')).toBeDefined();
});

test('offers a retry if the groups can’t be loaded', async () => {
  const server = asOwner().on('GET /api/groups', { status: 500, json: { error: 'Out of order', code: 'internal' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('Error loading groups')).toBeDefined();
  server.on('GET /api/groups', { json: [aGroup()] });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('group:finance')).toBeDefined();
});
