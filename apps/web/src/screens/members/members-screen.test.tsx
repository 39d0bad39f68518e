import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aConfirmation } from '../../testing/confirmations.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import { aPendingInvitation, anOwner, inNordlicht, members } from '../../testing/people.ts';
import { aPersonalUser, aToken } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ADDRESS = '/app/settings/members';
const USERS = '/api/organizations/*/users';
const INVITATIONS = '/api/organizations/*/invitations';

const asOwner = () =>
  startFakeServer()
    .on('GET /api/auth/me', { json: anOwner() })
    .on(`GET ${USERS}`, { json: members() })
    .on(`GET ${INVITATIONS}`, { json: [] })
    .on(`GET ${USERS}/*/steps`, { json: [] });

const rowOf = async (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) });

test('hands over a member’s steps, with a reason, when the member is removed', async () => {
  const held = [{ key: 'pay', title: 'Payment', steps: 2, approvals: 1 }];
  const server = asOwner()
    .on(`GET ${USERS}/*/steps`, { json: held })
    .on('GET /api/organizations/*/tokens', { json: [] })
    .on('GET /api/groups', {
      json: [{ id: 'g', slug: 'finance', name: 'Finance', members: ['x'], pendingRemovals: [] }],
    })
    .on(`DELETE ${USERS}/*`, { json: { message: 'Removed', revokedInvitations: 0 } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(within(await rowOf('Sam Okafor')).getByRole('button', { name: 'Remove Sam Okafor' }));
  const dialog = within(await screen.findByRole('dialog', { name: /^Remove/ }));
  expect((await dialog.findByText(/2 steps, 1 approval/)).textContent).toContain('Payment');
  await user.click(dialog.getByRole('button', { name: 'Hand them over' }));
  expect(dialog.getByLabelText<HTMLInputElement>('Reason').value).toBe('Sam Okafor left');
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(dialog.getByText('Choose who gets the steps')).toBeDefined();
  expect(server.calls(`DELETE ${USERS}/*`)).toEqual([]);
  await user.type(dialog.getByRole('combobox', { name: /Person or group/ }), 'finan');
  await user.keyboard('{Enter}');
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Member removed')).toBeDefined();
  expect(server.calls(`DELETE ${USERS}/*`)[0]?.body).toEqual({
    handOver: { to: 'group:finance', reason: 'Sam Okafor left' },
  });
});

test('searches a long list of members, and offers to show everyone again if nobody matches', async () => {
  const [priya, sam] = members();
  const others = Array.from({ length: 8 }, (_, n) => ({
    ...sam,
    id: `m${n}`,
    name: `Lee ${n}`,
    email: `lee${n}@x.example`,
  }));
  asOwner().on(`GET ${USERS}`, { json: [priya, sam, ...others] });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await rowOf('Sam Okafor');
  const box = screen.getByRole('searchbox', { name: /^Search members/ });
  await user.type(box, 'okaf');
  await waitFor(() => expect(screen.queryByRole('row', { name: /^Lee 3/ })).toBeNull());
  expect(await rowOf('Sam Okafor')).toBeDefined();
  await user.clear(box);
  await user.type(box, 'nobody of this name');
  await user.click(await screen.findByRole('button', { name: 'Show all members' }));
  expect(await rowOf('Lee 3')).toBeDefined();
});

test('the last owner can’t leave or be demoted and sees the reason', async () => {
  const server = asOwner();
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const row = within(await rowOf('Priya Nair'));
  expect(row.getByText('You are the only owner. Make someone else an owner first.')).toBeDefined();
  expect(row.queryByRole('button', { name: /role of/ })).toBeNull();
  await user.click(row.getByRole('button', { name: 'Leave this organization' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(server.requests.some(({ key }) => key.startsWith('DELETE'))).toBe(false);
});

test('changes a role with its menu, asks first if permissions are lost, and shows a refusal', async () => {
  const server = asOwner().on(`PATCH ${USERS}/*`, ({ body }) => ({ json: { ...members()[1], ...Object(body) } }));
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(within(await rowOf('Sam Okafor')).getByRole('button', { name: 'Editor, role of Sam Okafor' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Reviewer' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Change Sam Okafor’s role to Reviewer?' }));
  expect(asked.getByText(/They lose the permissions of Editor immediately\. .* may have to confirm\.$/)).toBeDefined();
  expect(server.calls(`PATCH ${USERS}/*`)).toHaveLength(0);
  await user.click(asked.getByRole('button', { name: 'Change role' }));
  expect(await screen.findByText('Sam Okafor’s role is now Reviewer.')).toBeDefined();
  expect(server.calls(`PATCH ${USERS}/*`)[0]?.body).toEqual({ role: 'reviewer' });

  server.on(`PATCH ${USERS}/*`, { status: 409, json: { error: 'Somebody was faster', code: 'conflict' } });
  await user.click(within(await rowOf('Sam Okafor')).getByRole('button', { name: /role of/ }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Viewer' }));
  const again = within(await screen.findByRole('dialog'));
  await user.click(again.getByRole('button', { name: 'Change role' }));
  expect((await again.findByRole('alert')).textContent).toContain('Somebody was faster');
  await user.click(again.getByRole('button', { name: 'Cancel' }));

  await user.click(within(await rowOf('Sam Okafor')).getByRole('button', { name: /role of/ }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Admin' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await screen.findByText('Somebody was faster')).toBeDefined();
});

test('asks owners to confirm before they give up ownership', async () => {
  const sam = { ...members()[1], role: 'owner' };
  const server = asOwner().on(`GET ${USERS}`, { json: [members()[0], sam] });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(within(await rowOf('Priya Nair')).getByRole('button', { name: /role of/ }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Viewer' }));
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Change your own role to Viewer?' })).getByRole('button', {
      name: 'Cancel',
    }),
  );
  expect(server.calls(`PATCH ${USERS}/*`)).toHaveLength(0);
});

test('asks before removing a member', async () => {
  const server = asOwner().on(`DELETE ${USERS}/*`, { json: { message: 'ok', revokedInvitations: 2 } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(within(await rowOf('Sam Okafor')).getByRole('button', { name: 'Remove Sam Okafor' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove Sam Okafor from Halden Works?' });
  server.on(`GET ${USERS}`, { json: members().slice(0, 1) });
  await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Member removed')).toBeDefined();
  expect(await screen.findByText(/^2 pending invitations they sent were revoked/)).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('row', { name: /Sam Okafor/ })).toBeNull());
  expect(server.calls(`DELETE ${USERS}/*`)[0]?.path).toContain(members()[1]?.id);
});

test('offers to take over a removed member’s organization tokens instead of revoking them', async () => {
  const [priya, sam] = members();
  const token = { kind: 'organization', role: 'editor', scopes: [], ending: 'x1y2', expiresAt: null, lastUsedAt: null };
  const made = { ...token, createdAt: '2026-11-20T12:00:00.000Z' };
  const server = asOwner()
    .on('GET /api/organizations/*/tokens', {
      json: [
        { ...made, id: '0199aaaa-0000-7000-8000-0000000000a1', name: 'Nightly import', owner: sam },
        { ...made, id: '0199aaaa-0000-7000-8000-0000000000a2', name: 'Reports', owner: priya },
        {
          ...made,
          id: '0199aaaa-0000-7000-8000-0000000000a3',
          name: 'My own',
          owner: sam,
          kind: 'personal',
          role: null,
        },
      ],
    })
    .on(`DELETE ${USERS}/*`, { json: { message: 'ok' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(within(await rowOf('Sam Okafor')).getByRole('button', { name: 'Remove Sam Okafor' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect((await dialog.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual(['Nightly import']);
  expect(dialog.getByRole('button', { name: 'Revoke them' }).getAttribute('aria-pressed')).toBe('true');
  await user.click(dialog.getByRole('button', { name: 'Take them over' }));
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Member removed')).toBeDefined();
  expect(server.calls(`DELETE ${USERS}/*`)[0]?.body).toEqual({ takeOverTokens: true });
});

test('shows how members are proved and who added them, and offers to confirm unproved ones', async () => {
  const [priya, sam] = members();
  const server = asOwner()
    .on(`GET ${USERS}`, { json: [priya, { ...sam, provedBy: null, role: 'reviewer' }] })
    .on('GET /api/confirmations', { json: [aConfirmation()] })
    .on('POST /api/confirmations/*/confirm', { json: aConfirmation({ status: 'confirmed' }) });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const row = within(await rowOf('Sam Okafor'));
  expect(row.getByText('Address not proved')).toBeDefined();
  expect(row.getByText('Added by Priya Nair')).toBeDefined();
  expect(within(await rowOf('Priya Nair')).getByText('Address proved by email')).toBeDefined();
  await user.click(await row.findByRole('button', { name: 'Confirm this person' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sam Okafor may review' }));
  server.on(`GET ${USERS}`, { json: [priya, { ...sam, provedBy: 'manager', confirmedBy: priya, role: 'reviewer' }] });
  server.on('GET /api/confirmations', { json: [] });
  await user.click(dialog.getByRole('button', { name: 'Confirm this person' }));
  expect(await screen.findByText('Added by Priya Nair, confirmed by Priya Nair')).toBeDefined();
});

test('marks a founder whose address isn’t proved', async () => {
  const [priya, sam] = members();
  asOwner().on(`GET ${USERS}`, { json: [{ ...priya, provedBy: 'founder' }, sam] });
  renderApp(ADDRESS, { token: aToken() });
  const row = within(await rowOf('Priya Nair'));
  expect(row.getByText('Founded this organization')).toBeDefined();
  expect(row.getByText('Address not proved')).toBeDefined();
});

test('the app switches to another organization after leaving', async () => {
  const me = anOwner();
  const server = asOwner().on(`GET ${USERS}`, { json: [members()[0], { ...members()[1], role: 'owner' }] });
  server.on(`DELETE ${USERS}/*`, () => {
    server.on('GET /api/auth/me', { json: { ...inNordlicht(me), organizations: me.organizations.slice(1) } });
    return { json: { message: 'ok' } };
  });
  const { user, router } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Leave this organization' }));
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Leave Halden Works?' })).getByRole('button', { name: 'Leave' }),
  );
  expect(await screen.findByRole('button', { name: 'Organization: Nordlicht' })).toBeDefined();
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
});

test('invites several people together and keeps the addresses that failed', async () => {
  const sent: string[] = [];
  asOwner().on(`POST ${INVITATIONS}`, ({ body }) => {
    const { email, role } = body as { email: string; role: string };
    if (email.startsWith('sam')) return { status: 409, json: { error: 'Already a member', code: 'already_member' } };
    sent.push(`${email} ${role}`);
    return { status: 201, json: aPendingInvitation() };
  });
  const { user } = renderApp(`${ADDRESS}?invite=reviewer`, { token: aToken() });
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite to Halden Works' }));
  const field = dialog.getByLabelText<HTMLInputElement>('Email');
  await user.type(field, 'greta@a.example, tom');
  await user.click(dialog.getByRole('button', { name: 'Send invitation' }));
  expect(await dialog.findByText('Not a valid email address: tom')).toBeDefined();
  expect(sent).toEqual([]);
  await user.type(field, '@a.example; sam@a.example');
  await user.click(dialog.getByRole('button', { name: 'Send invitation' }));
  expect(await dialog.findByText('sam@a.example: Already a member')).toBeDefined();
  expect(sent).toEqual(['greta@a.example reviewer', 'tom@a.example reviewer']);
  expect(field.value).toBe('sam@a.example');
});

test('invites a person by address and role and then lists them', async () => {
  const server = asOwner().on(`POST ${INVITATIONS}`, { status: 201, json: aPendingInvitation() });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('No pending invitations.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Invite' }));
  const dialog = await screen.findByRole('dialog', { name: 'Invite to Halden Works' });
  await user.click(within(dialog).getByRole('button', { name: 'Send invitation' }));
  expect(await within(dialog).findByText('Email is required')).toBeDefined();
  await user.type(within(dialog).getByLabelText('Email'), 'greta.holm@haldenworks.example');
  await user.selectOptions(within(dialog).getByLabelText('Role'), 'Reviewer');
  expect(within(dialog).queryByRole('option', { name: 'Owner' })).toBeNull();
  server.on(`GET ${INVITATIONS}`, { json: [aPendingInvitation()] });
  await user.click(within(dialog).getByRole('button', { name: 'Send invitation' }));
  expect(await screen.findByText('Invitation sent')).toBeDefined();
  expect(await screen.findByRole('button', { name: 'Copy link for greta.holm@haldenworks.example' })).toBeDefined();
  expect(server.calls(`POST ${INVITATIONS}`)[0]?.body).toEqual({
    email: 'greta.holm@haldenworks.example',
    role: 'reviewer',
  });
});

test('lets people copy the link of a pending invitation, send it again and revoke it', async () => {
  const server = asOwner()
    .on(`GET ${INVITATIONS}`, { json: [aPendingInvitation()] })
    .on(`POST ${INVITATIONS}/*/resend`, { json: aPendingInvitation() })
    .on(`DELETE ${INVITATIONS}/*`, { json: { message: 'ok' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: /^Copy link/ }));
  expect(await screen.findByText('Link copied')).toBeDefined();
  expect(await navigator.clipboard.readText()).toBe(aPendingInvitation().link);
  await user.click(screen.getByRole('button', { name: /^Resend/ }));
  expect(await screen.findByText('Invitation sent again')).toBeDefined();
  expect(server.calls(`POST ${INVITATIONS}/*/resend`)).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: /^Revoke/ }));
  server.on(`GET ${INVITATIONS}`, { json: [] });
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('No pending invitations.')).toBeDefined();
  expect(server.calls(`DELETE ${INVITATIONS}/*`)[0]?.path).toContain(aPendingInvitation().id);
});

test('hides the link of someone else’s invitation until it is sent again', async () => {
  const server = asOwner()
    .on(`GET ${INVITATIONS}`, { json: [aPendingInvitation({ link: null })] })
    .on(`POST ${INVITATIONS}/*/resend`, { json: aPendingInvitation() });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const resend = await screen.findByRole('button', { name: /^Resend/ });
  expect(screen.queryByRole('button', { name: /^Copy link/ })).toBeNull();
  expect(screen.getByText(/^Only the person who sent an invitation can see its link/)).toBeDefined();
  server.on(`GET ${INVITATIONS}`, { json: [aPendingInvitation()] });
  await user.click(resend);
  expect(await screen.findByRole('button', { name: /^Copy link/ })).toBeDefined();
  expect(screen.queryByText(/^Only the person who sent/)).toBeNull();
});

test('shows the link for copying by hand if the clipboard is blocked', async () => {
  asOwner().on(`GET ${INVITATIONS}`, { json: [aPendingInvitation()] });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const button = await screen.findByRole('button', { name: /^Copy link/ });
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('closed'));
  await user.click(button);
  const field = await screen.findByLabelText<HTMLInputElement>(/^Link for/);
  expect(field.value).toBe(aPendingInvitation().link);
});

test('people who can’t manage the organization see only the members, without actions, and a message, and can leave', async () => {
  const lore = { ...inNordlicht(anOwner()) };
  const others = [
    {
      ...members()[0],
      id: '0199aaaa-0000-7000-8000-000000000009',
      name: 'Ida Berg',
      email: 'ida@nordlicht.example',
    },
    { ...members()[0], role: 'viewer' },
  ];
  const server = startFakeServer().on('GET /api/auth/me', { json: lore }).on(`GET ${USERS}`, { json: others });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await rowOf('Ida Berg')).toBeDefined();
  expect(screen.getByText(/Only owners and admins can invite people/).textContent).toContain('Ask Ida Berg.');
  expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull();
  expect(screen.queryByRole('button', { name: /Remove/ })).toBeNull();
  expect(screen.queryByRole('columnheader', { name: 'Actions' })).toBeNull();
  expect(server.calls(`GET ${INVITATIONS}`)).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: 'Leave this organization' }));
  expect(await screen.findByRole('dialog', { name: /^Leave / })).toBeDefined();
});

test('reports that a personal account has no members', async () => {
  const server = startFakeServer().on('GET /api/auth/me', { json: aPersonalUser() });
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('A personal account has no members')).toBeDefined();
  expect(server.calls(`GET ${USERS}`)).toHaveLength(0);
});

test('offers a retry if the members can’t be loaded', async () => {
  const server = asOwner().on(`GET ${USERS}`, { status: 500, json: { error: 'Out of order', code: 'internal' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('Error loading members')).toBeDefined();
  server.on(`GET ${USERS}`, { json: members() });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await rowOf('Sam Okafor')).toBeDefined();
});
