import { screen, waitFor, within } from '@testing-library/react';
import type { Escalation, WorkflowPeople } from '@stet/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const SAVED = {
  tell: ['reviewer'],
  againAfterMinutes: 45,
  updatedAt: null,
  updatedBy: null,
  pending: null as Escalation['pending'],
  abilities: { change: true },
};
const member = (name: string, role: string) => ({ id: crypto.randomUUID(), name, email: `${name}@example.com`, role });
const [ada, ben, vera] = [member('Ada', 'admin'), member('Ben', 'reviewer'), member('Vera', 'viewer')];
const people = (change: Partial<WorkflowPeople> = {}): WorkflowPeople => ({
  owners: [],
  reviewers: [],
  needsReviewer: false,
  pending: null,
  abilities: { change: true },
  ...change,
});
let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/workflows/*', { json: { metadata: { title: 'Vendor onboarding' }, tags: ['eu'] } })
    .on('GET /api/workflows/*/escalation', { json: SAVED })
    .on('GET /api/workflows/*/people', { json: people() })
    .on('GET /api/organizations/*/users', { json: [ada, ben, vera] });
});
const openIt = (path = '/app/docs/vendor-onboarding/settings') => renderApp(path, { token: aToken() });

test('the recipients and the interval of the escalation can be changed', async () => {
  server.on('PATCH /api/workflows/*/escalation', ({ body }) => ({ json: { ...SAVED, ...(body as object) } }));
  const { user } = openIt();
  const names = await screen.findByRole('textbox', { name: 'Also notify' });
  expect(screen.getByRole('combobox', { name: 'How often' })).toHaveProperty('value', '45');
  await user.clear(names);
  await user.type(names, 'Someone@Example.com, nobody');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('“nobody” is neither an email address nor a role')).toBeDefined();
  await user.clear(names);
  await user.type(names, 'Someone@Example.com, admin');
  await user.selectOptions(screen.getByRole('combobox', { name: 'How often' }), 'Every hour');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.calls('PATCH /api/workflows/*/escalation')[0]?.body).toEqual({
      tell: ['someone@example.com', 'admin'],
      againAfterMinutes: 60,
    }),
  );
  expect(await screen.findByText('Escalation saved')).toBeDefined();
});

test('a replaced recipient that waits for a confirmation isn’t reported as saved', async () => {
  const pending = {
    tell: ['admin'],
    againAfterMinutes: 60,
    proposedBy: { id: ada.id, name: 'Ada', email: ada.email },
    proposedAt: '2026-11-01T12:00:00.000Z',
  };
  server.on('PATCH /api/workflows/*/escalation', { json: { ...SAVED, pending } });
  const { user } = openIt();
  const names = await screen.findByRole('textbox', { name: 'Also notify' });
  expect(screen.queryByText(/proposed a weaker escalation/)).toBeNull();
  await user.clear(names);
  await user.type(names, 'admin');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Another owner or admin must confirm the weaker escalation.')).toBeDefined();
  expect(screen.queryByText('Escalation saved')).toBeNull();
  // The proposal is shown, and the form keeps the escalation that applies until it is confirmed.
  const note = await screen.findByText(/proposed a weaker escalation/);
  expect(note.textContent).toMatch(
    /Ada.* proposed a weaker escalation: also notify .?admin.?, with reminders every hour\. Nothing changes/,
  );
  expect(screen.getByRole('textbox', { name: 'Also notify' })).toHaveProperty('value', 'reviewer');
});

test('people without permission also see an escalation that waits for a confirmation', async () => {
  const { id, name, email } = ada;
  const pending = {
    tell: [],
    againAfterMinutes: null,
    proposedBy: { id, name, email },
    proposedAt: '2026-11-01T12:00:00.000Z',
  };
  server.on('GET /api/workflows/*/escalation', { json: { ...SAVED, pending, abilities: { change: false } } });
  openIt();
  expect((await screen.findByText(/proposed a weaker escalation/)).textContent).toContain(
    'notify only the assignee, owners and admins, without reminders. Nothing changes',
  );
});

test('owners and admins can change the tags', async () => {
  server
    .on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read', 'org.manage'] }) })
    .on('PATCH /api/workflows/*', { json: { tags: ['eu', 'payments'] } });
  const { user } = openIt();
  const tags = await screen.findByRole('textbox', { name: 'Tags' });
  expect(tags).toHaveProperty('value', 'eu');
  await user.type(tags, `, Payments, ${'x'.repeat(41)}`);
  await user.click(screen.getByRole('button', { name: 'Save tags' }));
  expect(await screen.findByText('Use at most 40 characters for a tag')).toBeDefined();
  await user.clear(tags);
  await user.type(tags, 'eu, Payments,');
  await user.click(screen.getByRole('button', { name: 'Save tags' }));
  await waitFor(() => expect(server.calls('PATCH /api/workflows/*')[0]?.body).toEqual({ tags: ['eu', 'Payments'] }));
  expect(await screen.findByText('Tags saved')).toBeDefined();
});

test('people without permission only see the tags', async () => {
  server.on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read'] }) });
  openIt();
  const tags = within(await screen.findByRole('list', { name: 'Tags' }));
  expect(tags.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['eu']);
  expect(screen.queryByRole('textbox', { name: 'Tags' })).toBeNull();
});

describe('people', () => {
  test('owners and reviewers are chosen from the members; only those who can review are offered as reviewers', async () => {
    server.on('PATCH /api/workflows/*/people', () => ({
      json: people({ owners: [vera], reviewers: [ben], needsReviewer: true }),
    }));
    const { user } = openIt();
    const owners = within(await screen.findByRole('group', { name: 'Owners' }));
    const reviewers = within(screen.getByRole('group', { name: 'Reviewers' }));
    expect(reviewers.queryByRole('checkbox', { name: 'Vera' })).toBeNull();
    await user.click(owners.getByRole('checkbox', { name: 'Vera' }));
    await user.click(reviewers.getByRole('checkbox', { name: 'Ben' }));
    await user.click(screen.getByRole('button', { name: 'Save people' }));
    expect(await screen.findByText('People saved')).toBeDefined();
    expect(server.calls('PATCH /api/workflows/*/people')[0]?.body).toEqual({ owners: [vera.id], reviewers: [ben.id] });
  });

  test('removing a reviewer is a proposal, which is shown until it is confirmed', async () => {
    const saved = people({ reviewers: [ada, ben], needsReviewer: true });
    const pending = { reviewers: [ben], proposedBy: ada, proposedAt: '2026-11-01T12:00:00.000Z' };
    server
      .on('GET /api/workflows/*/people', { json: saved })
      .on('PATCH /api/workflows/*/people', { json: { ...saved, pending } });
    const { user } = openIt();
    const reviewers = within(await screen.findByRole('group', { name: 'Reviewers' }));
    await user.click(reviewers.getByRole('checkbox', { name: 'Ada' }));
    await user.click(screen.getByRole('button', { name: 'Save people' }));
    expect(await screen.findByText('Another owner or admin must confirm that reviewers are removed.')).toBeDefined();
    expect(server.calls('PATCH /api/workflows/*/people')[0]?.body).toEqual({ reviewers: [ben.id] });
    expect((await screen.findByText(/proposed these reviewers instead/)).textContent).toContain('Ben');
    expect(reviewers.getByRole('checkbox', { name: 'Ada' })).toHaveProperty('checked', true);
  });

  test('says if all reviewers have left, and lets managers end the requirement', async () => {
    server
      .on('GET /api/workflows/*/people', { json: people({ needsReviewer: true }) })
      .on('PATCH /api/workflows/*/people', { json: people() });
    const { user } = openIt();
    expect(await screen.findByText(/The reviewers have left the organization/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Save people' }));
    expect(await screen.findByText('People saved')).toBeDefined();
    expect(server.calls('PATCH /api/workflows/*/people')[0]?.body).toEqual({ reviewers: [] });
  });

  test('ending the requirement after all reviewers have left is a proposal if there is another manager', async () => {
    const pending = { reviewers: [], proposedBy: ada, proposedAt: '2026-11-01T12:00:00.000Z' };
    server
      .on('GET /api/workflows/*/people', { json: people({ needsReviewer: true }) })
      .on('PATCH /api/workflows/*/people', { json: { ...people({ needsReviewer: true }), pending } });
    const { user } = openIt();
    await user.click(await screen.findByRole('button', { name: 'Save people' }));
    expect(await screen.findByText('Another owner or admin must confirm that reviewers are removed.')).toBeDefined();
    expect(screen.queryByText('People saved')).toBeNull();
  });

  test('people without permission only see the names', async () => {
    server.on('GET /api/workflows/*/people', {
      json: people({ owners: [vera], reviewers: [ada, ben], needsReviewer: true, abilities: { change: false } }),
    });
    openIt();
    expect((await screen.findByText(/one of them has to approve each draft/)).textContent).toMatch(/Ada.*Ben/);
    expect(screen.queryByRole('button', { name: 'Save people' })).toBeNull();
  });

  test('people without permission read that all reviewers have left', async () => {
    server.on('GET /api/workflows/*/people', {
      json: people({ needsReviewer: true, abilities: { change: false } }),
    });
    openIt();
    expect(
      await screen.findByText('All reviewers have left the organization, so no draft can be merged.'),
    ).toBeDefined();
  });

  test.each(['GET /api/workflows/*/people', 'GET /api/organizations/*/users'])(
    'shows an error if %s fails, and can be loaded again',
    async (route) => {
      server.on(route, { status: 500, json: { error: 'Something failed', code: 'internal' } });
      const { user } = openIt();
      expect(await screen.findByText('Error loading the people')).toBeDefined();
      expect(screen.getByText('Something failed')).toBeDefined();
      server.on(route, { json: route.endsWith('users') ? [ada, ben, vera] : people({ reviewers: [ben] }) });
      await user.click(screen.getByRole('button', { name: 'Try again' }));
      expect(await screen.findByRole('group', { name: 'Reviewers' })).toBeDefined();
      expect(screen.queryByText('Error loading the people')).toBeNull();
    },
  );
});

test('is one of the workflow’s five pages; the former escalation address redirects to it', async () => {
  const { router } = openIt('/app/workflows/vendor-onboarding/escalation');
  expect(await screen.findByRole('heading', { level: 1, name: 'Vendor onboarding' })).toBeDefined();
  expect(router.state.location.pathname).toBe('/app/docs/vendor-onboarding/settings');
  const tabs = within(screen.getByRole('navigation', { name: 'Workflow' }));
  expect(tabs.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Read',
    'Edit',
    'Versions',
    'Runs',
    'Settings',
  ]);
  expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Settings');
});

test('the escalation is read-only without permission', async () => {
  server.on('GET /api/workflows/*/escalation', { json: { ...SAVED, abilities: { change: false } } });
  openIt();
  expect(await screen.findByText('Only people who can merge can change this.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

test('shows an error if the escalation can’t be loaded, and loads it again on request', async () => {
  server.on('GET /api/workflows/*/escalation', { status: 500, json: { error: 'Something failed', code: 'internal' } });
  const { user } = openIt();
  expect(await screen.findByText('Error loading the escalation')).toBeDefined();
  server.on('GET /api/workflows/*/escalation', { json: SAVED });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('textbox', { name: 'Also notify' })).toHaveProperty('value', 'reviewer');
});

test('reports an unknown workflow', async () => {
  server.on('GET /api/workflows/*/escalation', {
    status: 404,
    json: { error: 'Workflow not found', code: 'not_found' },
  });
  openIt();
  expect(await screen.findByText('Workflow not found')).toBeDefined();
});
