import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { aConfirmation } from '../../testing/confirmations.ts';
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
    .on(`GET ${ORGANIZATION}/routes`, { json: { routes: [], pending: null } })
    .on('GET /api/groups', { json: [] })
    .on(`GET ${ORGANIZATION}`, { json: organizationSettings() });

test('changes the required approvals and sends only what changed', async () => {
  const server = open().on(`PATCH ${ORGANIZATION}`, { json: organizationSettings({ requiredApprovals: 2 }) });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const approvals = await screen.findByLabelText('Required approvals');
  expect(screen.getByLabelText<HTMLInputElement>('Organization URL prefix').readOnly).toBe(true);
  await user.clear(approvals);
  await user.type(approvals, '21');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Must be a whole number from 0 to 20')).toBeDefined();
  await user.clear(approvals);
  await user.type(approvals, '2');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Organization saved')).toBeDefined();
  expect(server.calls(`PATCH ${ORGANIZATION}`).map(({ body }) => body)).toEqual([{ requiredApprovals: 2 }]);
});

test('raising the minimum password length takes effect immediately; lowering it needs a second manager', async () => {
  const server = open().on(`PATCH ${ORGANIZATION}`, { json: organizationSettings({ passwordMinimum: 12 }) });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const field = await screen.findByLabelText('Minimum password length');
  const type = async (text: string) => {
    await user.clear(field);
    await user.type(field, text);
    await user.click(screen.getByRole('button', { name: 'Save' }));
  };
  await type('5');
  expect(await screen.findByText('Must be a whole number from 6 to 64')).toBeDefined();
  await type('12');
  expect(await screen.findByText('Organization saved')).toBeDefined();
  await type('8');
  expect(await screen.findByText(/must confirm the shorter minimum length/)).toBeDefined();
  expect(server.calls(`PATCH ${ORGANIZATION}`).map(({ body }) => body)).toEqual([
    { passwordMinimum: 12 },
    { passwordMinimum: 8 },
  ]);
});

test('warns if the organization has fewer other reviewers than required approvals', async () => {
  const [me, sam] = members();
  open().on(`GET ${ORGANIZATION}/users`, { json: [me, { ...sam, role: 'reviewer' }] });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const approvals = await screen.findByLabelText('Required approvals');
  expect(screen.queryByText(/needed for your drafts/)).toBeNull();
  await user.clear(approvals);
  await user.type(approvals, '2');
  expect(await screen.findByText(/^Only 1 of 2 reviewers needed for your drafts has joined/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Invite reviewers' }).getAttribute('href')).toBe(
    '/app/settings/members?invite=reviewer',
  );
});

test('a new name appears in the top bar', async () => {
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

test('managers can require that comments are resolved before a merge', async () => {
  const server = open().on(`PATCH ${ORGANIZATION}`, { json: organizationSettings({ resolvedComments: true }) });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('checkbox', { name: /^Comments must be resolved before a merge/ }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Organization saved')).toBeDefined();
  expect(server.calls(`PATCH ${ORGANIZATION}`)[0]?.body).toEqual({ resolvedComments: true });
});

test('the last owner sees why they can’t leave', async () => {
  open();
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('You are the only owner. Make someone else an owner first.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Leave organization' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('people who can’t manage the organization see its settings and can leave', async () => {
  open(inNordlicht(anOwner()));
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('Only owners and admins can change these settings.')).toBeDefined();
  expect((await screen.findByLabelText<HTMLInputElement>('Required approvals')).readOnly).toBe(true);
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Leave organization' }));
  expect(await screen.findByRole('dialog', { name: 'Leave Nordlicht?' })).toBeDefined();
});

test('people who can’t manage the organization see its working hours, but can’t change them', async () => {
  open(inNordlicht(anOwner()))
    .on(`GET ${ORGANIZATION}/working-hours`, {
      json: {
        workingHours: {
          timeZone: 'Europe/Lisbon',
          week: [[{ from: 540, to: 1020 }], [], [], [], [], [], []],
          holidays: [],
        },
        pending: {
          workingHours: null,
          proposedBy: { id: anOwner().id, name: 'Sam Lee', email: 'sam@example.com' },
          proposedAt: new Date().toISOString(),
        },
      },
    })
    .on(`GET ${ORGANIZATION}`, {
      json: organizationSettings({
        strict: true,
        pendingStrictOff: {
          proposedBy: { id: anOwner().id, name: 'Sam Lee', email: 'sam@example.com' },
          proposedAt: new Date().toISOString(),
        },
      }),
    });
  renderApp(ADDRESS, { token: aToken() });
  expect(
    await screen.findByText(
      /proposed new working hours: around the clock. Nothing changes until another owner or admin confirms them/,
    ),
  ).toBeDefined();
  expect(screen.getByText(/proposed turning off strict review/)).toBeDefined();
  const clocks = within(await screen.findByRole('form', { name: 'SLA clocks' }));
  expect(clocks.getByLabelText('Monday, from').closest('fieldset')?.disabled).toBe(true);
  expect(clocks.queryAllByRole('button')).toEqual([]);
});

test('managers choose the working hours', async () => {
  open().on(`GET ${ORGANIZATION}/working-hours`, { json: { workingHours: null, pending: null } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const clocks = within(await screen.findByRole('form', { name: 'SLA clocks' }));
  await user.click(clocks.getByRole('button', { name: 'Working hours' }));
  expect(await clocks.findByLabelText('Monday, from')).toBeDefined();
  expect(clocks.getByRole('button', { name: 'Add hours to Monday' })).toBeDefined();
});

test('a personal account has a name but neither approvals nor a way to leave', async () => {
  open(aPersonalUser()).on(`GET ${ORGANIZATION}`, {
    json: organizationSettings({ type: 'individual', slug: null, name: 'Priya Nair', requiredApprovals: 0 }),
  });
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText(/This is your personal account/)).toBeDefined();
  expect(screen.queryByLabelText('Required approvals')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Leave organization' })).toBeNull();
});

describe('strict reviews', () => {
  test('can be turned on; if there are too few proved owners or admins, the server’s message is shown', async () => {
    const server = open().on(`PATCH ${ORGANIZATION}`, {
      status: 409,
      json: { error: 'Strict reviews need two proved owners or admins.', code: 'strict_needs_people' },
    });
    const { user } = renderApp(ADDRESS, { token: aToken() });
    await user.click(await screen.findByRole('checkbox', { name: /^Strict reviews/ }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Strict reviews need two proved owners or admins.')).toBeDefined();
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^Strict reviews/ }).checked).toBe(true);

    server.on(`PATCH ${ORGANIZATION}`, { json: organizationSettings({ strict: true }) });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Organization saved')).toBeDefined();
    expect(server.calls(`PATCH ${ORGANIZATION}`).at(-1)?.body).toEqual({ strict: true });
  });

  test('stay on until a second person confirms turning them off', async () => {
    const off = { kind: 'policy', sentence: 'Reviews are no longer strict', payload: { strict: false } } as const;
    const server = open()
      .on(`GET ${ORGANIZATION}`, { json: organizationSettings({ strict: true }) })
      .on('GET /api/confirmations', { json: [] });
    const { user } = renderApp(ADDRESS, { token: aToken() });
    const strict = await screen.findByRole<HTMLInputElement>('checkbox', { name: /^Strict reviews/ });
    server.on(`PATCH ${ORGANIZATION}`, () => {
      server.on('GET /api/confirmations', { json: [aConfirmation({ ...off, proposedBy: anOwner() })] });
      return { json: organizationSettings({ strict: true }) };
    });
    await user.click(strict);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Another owner or admin must confirm turning off strict reviews.')).toBeDefined();
    const part = within(await screen.findByRole('region', { name: 'Waiting for a second person' }));
    expect(part.getByText('Reviews are no longer strict')).toBeDefined();
    expect(strict.checked).toBe(true);
  });
});

test('managers set the policies for editors and simulated steps and see the affected live workflows', async () => {
  const server = open().on(`PATCH ${ORGANIZATION}`, {
    json: organizationSettings({
      simulatedSteps: 'refused',
      simulatedWorkflows: [{ key: 'pay', title: 'Pay a vendor' }],
    }),
  });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const part = within(await screen.findByRole('region', { name: 'Runs' }));
  const help = part.getByRole<HTMLInputElement>('checkbox', { name: /Editors can help/ });
  expect(help.checked).toBe(true);
  await user.click(part.getByRole('checkbox', { name: /No simulated steps in live workflows/ }));
  expect(await part.findByText(/1 live workflow has simulated steps/)).toBeDefined();
  expect(part.getByRole('link', { name: 'Pay a vendor' })).toBeDefined();
  expect(server.calls(`PATCH ${ORGANIZATION}`)[0]?.body).toEqual({ simulatedSteps: 'refused' });
  await user.click(help);
  expect(server.calls(`PATCH ${ORGANIZATION}`)[1]?.body).toEqual({ editorsMayHelp: false });
});

test('shows that a looser run policy waits for a second person', async () => {
  const before = organizationSettings({ editorsMayHelp: false });
  open().on(`GET ${ORGANIZATION}`, { json: before }).on(`PATCH ${ORGANIZATION}`, { json: before });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const part = within(await screen.findByRole('region', { name: 'Runs' }));
  const help = part.getByRole<HTMLInputElement>('checkbox', { name: /Editors can help/ });
  await user.click(help);
  expect(await screen.findByText('Proposed')).toBeDefined();
  expect(screen.getByText('Another owner or admin must confirm this change.')).toBeDefined();
  expect(help.checked).toBe(false);
});

describe('lowering the required approvals', () => {
  const [me, sam] = members();
  const waiting = (proposedBy = sam, requiredApprovals = 1) =>
    organizationSettings({
      requiredApprovals: 2,
      pendingPolicy: {
        requiredApprovals,
        proposedBy: { id: proposedBy?.id ?? '', name: proposedBy?.name ?? '', email: proposedBy?.email ?? '' },
        proposedAt: new Date(Date.now() - 7_200_000).toISOString(),
      },
    });
  const CONFIRM = `POST ${ORGANIZATION}/policy-change/confirm`;
  const END = `DELETE ${ORGANIZATION}/policy-change`;

  test('is only proposed if someone else must confirm it', async () => {
    const server = open()
      .on(`GET ${ORGANIZATION}`, { json: organizationSettings({ requiredApprovals: 2 }) })
      .on(`PATCH ${ORGANIZATION}`, { json: waiting(me) });
    const { user } = renderApp(ADDRESS, { token: aToken() });
    const approvals = await screen.findByLabelText<HTMLInputElement>('Required approvals');
    await user.clear(approvals);
    await user.type(approvals, '1');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Another owner or admin must confirm the lower number of approvals.')).toBeDefined();
    const part = screen.getByRole('region', { name: 'From 2 required approvals to 1 required approval' });
    expect(part.textContent).toContain('Proposed by you · 2h ago');
    expect(within(part).queryByRole('button', { name: 'Confirm' })).toBeNull();
    expect(approvals.value).toBe('2');

    server.on(END, { json: organizationSettings({ requiredApprovals: 2 }) });
    await user.click(within(part).getByRole('button', { name: 'Withdraw' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw your proposal?' }));
    expect(dialog.getByText(/Drafts still need 2 required approvals/)).toBeDefined();
    expect(server.calls(END)).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Withdraw' }));
    expect(await screen.findByText('Proposal withdrawn')).toBeDefined();
    expect(screen.queryByRole('region', { name: /^From 2/ })).toBeNull();
  });

  test('reports if nobody else can confirm it', async () => {
    open()
      .on(`GET ${ORGANIZATION}/users`, {
        json: members().map((each) => (each.id === me?.id ? each : { ...each, role: 'viewer' as const })),
      })
      .on(`GET ${ORGANIZATION}`, { json: waiting(me) });
    renderApp(ADDRESS, { token: aToken() });
    const part = await screen.findByRole('region', { name: /^From 2/ });
    expect(await within(part).findByText(/There is no other owner or admin to confirm this/)).toBeDefined();
    expect(within(part).queryByText(/once another owner or admin confirms it/)).toBeNull();
    expect(within(part).getByRole('button', { name: 'Withdraw' })).toBeDefined();
  });

  test('is confirmed by another owner or admin with the displayed number', async () => {
    const server = open()
      .on(`GET ${ORGANIZATION}`, { json: waiting() })
      .on(CONFIRM, { json: organizationSettings({ requiredApprovals: 1 }) });
    const { user } = renderApp(ADDRESS, { token: aToken() });
    const part = await screen.findByRole('region', { name: 'From 2 required approvals to 1 required approval' });
    expect(part.textContent).toContain('Proposed by Sam Okafor · 2h ago');
    await user.click(within(part).getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Required approvals changed')).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('Required approvals').value).toBe('1');
    expect(server.calls(CONFIRM).map(({ body }) => body)).toEqual([{ requiredApprovals: 1 }]);
  });

  test('shows the current proposal if the displayed one was replaced', async () => {
    const server = open().on(`GET ${ORGANIZATION}`, { json: waiting() });
    server.on(CONFIRM, () => {
      server.on(`GET ${ORGANIZATION}`, { json: waiting(sam, 0) });
      return { status: 409, json: { error: 'Another change is pending by now.', code: 'other_policy_change' } };
    });
    const { user } = renderApp(ADDRESS, { token: aToken() });
    await user.click(await screen.findByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Another change is pending by now.')).toBeDefined();
    expect(
      await screen.findByRole('heading', { name: 'From 2 required approvals to no required approval' }),
    ).toBeDefined();
  });

  test('can’t be confirmed or ended by people who don’t manage the organization', async () => {
    open(inNordlicht(anOwner())).on(`GET ${ORGANIZATION}`, { json: waiting() });
    renderApp(ADDRESS, { token: aToken() });
    const part = await screen.findByRole('region', { name: /^From 2/ });
    expect(within(part).queryAllByRole('button')).toEqual([]);
  });
});

describe('rules about reviews', () => {
  const RULE = { if: 'clock_loosened', tag: 'payments', group: 'compliance' };
  const SENTENCE =
    'If a draft of a workflow tagged payments gives a step more time, someone in Compliance has to approve it';
  const openWithRules = (routes: object[], user = anOwner()) =>
    open(user)
      .on('GET /api/groups', {
        json: [{ id: 'g', slug: 'compliance', name: 'Compliance', members: [], pendingRemovals: [] }],
      })
      .on(`GET ${ORGANIZATION}/routes`, { json: { routes, pending: null } });
  const rules = async () => within(await screen.findByRole('region', { name: 'Who has to approve which changes' }));

  test('are added and shown as sentences', async () => {
    const server = openWithRules([]).on(`PATCH ${ORGANIZATION}/routes`, { json: { routes: [RULE], pending: null } });
    const { user } = renderApp(ADDRESS, { token: aToken() });
    const part = await rules();
    expect(part.getByText('No rules: anyone who can review can approve every change.')).toBeDefined();
    await user.selectOptions(await part.findByRole('combobox', { name: 'If a draft' }), 'gives a step more time');
    await user.type(part.getByRole('textbox', { name: 'Only workflows tagged' }), 'payments');
    await user.selectOptions(part.getByRole('combobox', { name: 'One approval from' }), 'Compliance');
    await user.click(part.getByRole('button', { name: 'Add rule' }));
    expect(await part.findByText(SENTENCE)).toBeDefined();
    expect(server.calls(`PATCH ${ORGANIZATION}/routes`).map(({ body }) => body)).toEqual([{ routes: [RULE] }]);
  });

  test('stay in force until a second manager confirms their removal', async () => {
    const pending = { routes: [], proposedBy: members()[0], proposedAt: '2026-11-18T12:00:00.000Z' };
    openWithRules([RULE]).on(`PATCH ${ORGANIZATION}/routes`, { json: { routes: [RULE], pending } });
    const { user } = renderApp(ADDRESS, { token: aToken() });
    const part = await rules();
    await user.click(await part.findByRole('button', { name: /^Remove: If a draft/ }));
    expect(await screen.findByText('Another owner or admin must confirm the weaker rules.')).toBeDefined();
    expect(part.getByText(SENTENCE)).toBeDefined();
    expect(part.getByText('Weaker rules are waiting for another owner or admin.')).toBeDefined();
  });

  test('say that nobody can approve if the group is empty', async () => {
    const legal = { id: 'l', slug: 'legal', name: 'Legal', members: [members()[0]?.id], pendingRemovals: [] };
    const empty = { ...legal, id: 'g', slug: 'compliance', name: 'Compliance', members: [] };
    openWithRules([RULE, { ...RULE, group: 'legal' }]).on('GET /api/groups', { json: [empty, legal] });
    renderApp(ADDRESS, { token: aToken() });
    const part = await rules();
    expect(await part.findByText('Nobody is in Compliance, so nobody can approve.')).toBeDefined();
    expect(part.queryByText(/Nobody is in Legal/)).toBeNull();
  });

  test('are read-only without permission', async () => {
    openWithRules([RULE], { ...anOwner(), orgRole: 'editor', orgPermissions: ['workflow.read', 'draft.edit'] });
    renderApp(ADDRESS, { token: aToken() });
    const part = await rules();
    expect(await part.findByText(SENTENCE)).toBeDefined();
    expect(part.queryByRole('button')).toBeNull();
  });
});
