import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeServer } from '../testing/fake-server.ts';
import type { FakeServer } from '../testing/fake-server.ts';
import { anOwner, inNordlicht } from '../testing/people.ts';
import { aPersonalUser, aRunSummary, aToken } from '../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../testing/render-app.tsx';

cleanUpAfterEach();

const HALDEN = anOwner();
const NORD = inNordlicht(HALDEN);
const switcher = (name: string) => screen.findByRole('button', { name: `Organization: ${name}` });

/** A server that remembers the selected organization and returns only its data. */
function twoOrganizations(): FakeServer & {
  selected: () => string | null;
  selectElsewhere: (user: typeof NORD) => void;
} {
  let user = HALDEN;
  const server = startFakeServer()
    .on('GET /api/auth/me', () => ({ json: user }))
    .on('GET /api/runs', () => ({
      json: [aRunSummary({ name: user.currentOrgId === NORD.currentOrgId ? 'Run of Nordlicht' : 'Run of Halden' })],
    }))
    .on('GET /api/workflows', { json: [] })
    .on('POST /api/users/switch-organization', ({ body }) => {
      const wanted = typeof body === 'object' && body !== null && 'organizationId' in body ? body.organizationId : null;
      user = wanted === NORD.currentOrgId ? NORD : HALDEN;
      return { json: user };
    });
  return Object.assign(server, {
    selected: () => user.currentOrgId,
    selectElsewhere: (next: typeof NORD) => {
      user = next;
    },
  });
}

function switchInAnotherTab() {
  window.dispatchEvent(
    new StorageEvent('storage', { key: 'stet_organization_switched', newValue: crypto.randomUUID() }),
  );
}

test('shows “Personal account” in the bar for an individual organization', async () => {
  startFakeServer().on('GET /api/auth/me', { json: aPersonalUser() }).on('GET /api/runs', { json: [] });
  renderApp('/app/runs', { token: aToken() });
  expect(await screen.findByText('Personal account')).toBeDefined();
});

test('switching opens the editor’s start page and removes the previous organization’s data from the screen', async () => {
  const server = twoOrganizations();
  const { user, router } = renderApp('/app/runs', { token: aToken() });
  expect((await screen.findAllByText('Run of Halden')).length).toBeGreaterThan(0);
  await user.click(await switcher('Halden Works'));
  const current = await screen.findByRole('menuitemradio', { name: 'Halden Works' });
  expect(current.getAttribute('aria-checked')).toBe('true');
  await user.click(screen.getByRole('menuitemradio', { name: 'Nordlicht' }));

  expect(await switcher('Nordlicht')).toBeDefined();
  expect(await screen.findByRole('heading', { name: 'Workflow Editor' })).toBeDefined();
  expect(router.state.location.pathname + router.state.location.search).toBe('/app/editor');
  expect(router.state.location.state).toBeNull();
  expect(server.selected()).toBe(NORD.currentOrgId);

  await user.click(screen.getAllByRole('link', { name: 'Runs' })[0] as HTMLElement);
  expect((await screen.findAllByText('Run of Nordlicht')).length).toBeGreaterThan(0);
  expect(screen.queryByText('Run of Halden')).toBeNull();
});

test('a failed switch shows an error and keeps the organization', async () => {
  const server = twoOrganizations();
  server.on('POST /api/users/switch-organization', {
    status: 403,
    json: { error: 'You are not a member of this organization', code: 'not_a_member' },
  });
  const { user } = renderApp('/app/runs', { token: aToken() });
  await user.click(await switcher('Halden Works'));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Nordlicht' }));
  expect(await screen.findByText('You are not a member of this organization')).toBeDefined();
  expect(await switcher('Halden Works')).toBeDefined();
});

test('unsaved changes block the switch, before a request is sent, until the person confirms', async () => {
  const server = twoOrganizations();
  const { user } = renderApp('/app/editor?key=new&template=blank&mode=edit', { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Add Step' }));
  await user.click(await switcher('Halden Works'));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Nordlicht' }));
  const dialog = await screen.findByRole('dialog', { name: 'Unsaved Changes' });
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(server.calls('POST /api/users/switch-organization')).toHaveLength(0);
  expect(await screen.findByText('Unsaved changes')).toBeDefined();

  await user.click(await switcher('Halden Works'));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Nordlicht' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm' }));
  expect(await switcher('Nordlicht')).toBeDefined();
  expect(screen.queryByText('Unsaved changes')).toBeNull();
});

test('a tab follows a switch in another tab', async () => {
  const server = twoOrganizations();
  const { router } = renderApp('/app/runs', { token: aToken() });
  await screen.findAllByText('Run of Halden');
  server.selectElsewhere(NORD);
  switchInAnotherTab();
  expect(await switcher('Nordlicht')).toBeDefined();
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
  expect(screen.queryByText('Run of Halden')).toBeNull();
});

test('a tab with unsaved changes asks before it follows another tab and can switch back', async () => {
  const server = twoOrganizations();
  const { user } = renderApp('/app/editor?key=new&template=blank&mode=edit', { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Add Step' }));
  server.selectElsewhere(NORD);
  switchInAnotherTab();
  const dialog = await screen.findByRole('dialog', { name: 'Unsaved Changes' });
  expect(dialog.textContent).toContain('You switched to Nordlicht in another tab or on another device.');
  await user.click(within(dialog).getByRole('button', { name: 'Go back to Halden Works' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.selected()).toBe(HALDEN.currentOrgId);
  expect(screen.getByText('Unsaved changes')).toBeDefined();

  server.selectElsewhere(NORD);
  switchInAnotherTab();
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
  expect(await switcher('Nordlicht')).toBeDefined();
  expect(await screen.findByRole('heading', { name: 'Workflow Editor' })).toBeDefined();
});

test('a tab with unsaved changes says that they can’t be saved if the person is no longer a member', async () => {
  const server = twoOrganizations();
  const { user } = renderApp('/app/editor?key=new&template=blank&mode=edit', { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Add Step' }));
  server.selectElsewhere({
    ...NORD,
    organizations: NORD.organizations.filter(({ id }) => id !== HALDEN.currentOrgId),
  });
  switchInAnotherTab();
  const dialog = await screen.findByRole('dialog', { name: 'Unsaved Changes' });
  expect(dialog.textContent).toContain('You can no longer work in Halden Works, so the unsaved changes on this page');
  expect(within(dialog).queryByRole('button', { name: /^Go back/ })).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'Discard changes' }));
  expect(await switcher('Nordlicht')).toBeDefined();
});

test('a new organization is created in a dialog and selected immediately', async () => {
  const made = { id: '0199aaaa-0000-7000-8000-0000000000dd', name: 'Fjord', type: 'team' as const, slug: 'fjord' };
  const created = {
    ...HALDEN,
    currentOrgId: made.id,
    organizations: [...HALDEN.organizations, { ...made, role: 'owner' as const }],
  };
  const server = twoOrganizations();
  server
    .on('GET /api/auth/slug', ({ query }) => ({ json: { available: query.get('slug') === 'fjord' } }))
    .on('POST /api/organizations', () => {
      server.selectElsewhere(created);
      return { status: 201, json: created };
    });
  const { user } = renderApp('/app/runs', { token: aToken() });
  await user.click(await switcher('Halden Works'));
  await user.click(await screen.findByRole('menuitem', { name: 'New organization' }));
  const dialog = await screen.findByRole('dialog', { name: 'New organization' });
  await user.click(within(dialog).getByRole('button', { name: 'Create organization' }));
  expect(await within(dialog).findByText('Organization name is required')).toBeDefined();
  await user.type(within(dialog).getByLabelText('Organization Name'), '北');
  expect(within(dialog).getByText('Choose a URL prefix: we couldn’t derive one from the name.')).toBeDefined();
  await user.clear(within(dialog).getByLabelText('Organization Name'));
  await user.type(within(dialog).getByLabelText('Organization Name'), 'Fjord');
  expect(within(dialog).getByLabelText<HTMLInputElement>('Organization URL prefix').value).toBe('fjord');
  await waitFor(() => expect(within(dialog).getByRole('status').textContent).toBe('fjord is free'));
  await user.click(within(dialog).getByRole('button', { name: 'Create organization' }));

  expect(await switcher('Fjord')).toBeDefined();
  expect(await screen.findByRole('heading', { name: 'Workflow Editor' })).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(server.calls('POST /api/organizations')[0]?.body).toEqual({ name: 'Fjord', slug: 'fjord' });
});
