import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aConfirmation } from '../../testing/confirmations.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import { anOwner, inNordlicht } from '../../testing/people.ts';
import { aToken } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ADDRESS = '/app/settings/confirmations';
const LIST = 'GET /api/confirmations';
const CONFIRM = 'POST /api/confirmations/*/confirm';
const REFUSE = 'POST /api/confirmations/*/refuse';

const open = (confirmations: readonly unknown[]) => {
  const server = startFakeServer().on('GET /api/auth/me', { json: anOwner() }).on(LIST, { json: confirmations });
  return { server, ...renderApp(ADDRESS, { token: aToken() }) };
};

test('explains the effect before a person is confirmed', async () => {
  const { server, user } = open([aConfirmation()]);
  server.on(CONFIRM, () => {
    server.on(LIST, { json: [] });
    return { json: aConfirmation({ status: 'confirmed' }) };
  });
  expect((await screen.findByRole('listitem')).textContent).toContain('Proposed by Jonas Weber');
  await user.click(screen.getByRole('button', { name: 'Confirm this person: Sam Okafor may review' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sam Okafor may review' }));
  expect(dialog.getByText(/Only confirm people you know/)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Confirm this person' }));
  expect(await screen.findByText('No changes to confirm')).toBeDefined();
  expect(server.calls(CONFIRM)[0]?.path).toContain(aConfirmation().id);
});

test('accepts a reason for a refusal', async () => {
  const { server, user } = open([aConfirmation({ kind: 'policy', sentence: 'From 2 required approvals to 1' })]);
  server.on(REFUSE, { json: aConfirmation({ status: 'refused' }) });
  await user.click(await screen.findByRole('button', { name: /^Refuse/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'From 2 required approvals to 1' }));
  await user.type(dialog.getByLabelText(/^Reason/), ' Two are few enough ');
  await user.click(dialog.getByRole('button', { name: 'Refuse' }));
  expect(await screen.findByText('Refused')).toBeDefined();
  expect(server.calls(REFUSE)[0]?.body).toEqual({ reason: 'Two are few enough' });
});

test('lets the proposer withdraw a proposal', async () => {
  const mine = aConfirmation(
    { kind: 'policy', proposedBy: anOwner(), because: 'Someone else has to confirm it.' },
    { confirm: false, refuse: false, withdraw: true },
  );
  const { server, user } = open([mine]);
  server.on(REFUSE, { json: mine });
  const item = await screen.findByRole('listitem');
  expect(item.textContent).toMatch(/Proposed by you/);
  expect(item.textContent).not.toMatch(/Someone else/);
  const row = within(item);
  expect(row.queryByRole('button', { name: /^Confirm/ })).toBeNull();
  await user.click(row.getByRole('button', { name: /^Withdraw/ }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Withdraw' }));
  await waitFor(() => expect(server.calls(REFUSE)).toHaveLength(1));
});

test('lets a reviewer withdraw their own proposal', async () => {
  const me = { ...anOwner(), orgRole: 'reviewer', orgPermissions: ['workflow.read', 'draft.merge'] };
  const mine = aConfirmation(
    { kind: 'escalation', proposedBy: me, sentence: 'Nobody else is notified' },
    { confirm: false, refuse: false, withdraw: true },
  );
  const server = startFakeServer()
    .on('GET /api/auth/me', { json: me })
    .on(LIST, { json: [mine] })
    .on(REFUSE, { json: mine });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Withdraw: Nobody else is notified' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Withdraw' }));
  await waitFor(() => expect(server.calls(REFUSE)[0]?.path).toContain(mine.id));
});

test('shows why and until when someone can’t confirm, and offers to ratify an emergency', async () => {
  const because = 'The person who proposed this made you an owner or admin less than 7 days ago.';
  open([
    aConfirmation({ because, from: '2026-11-27T12:00:00.000Z' }, { confirm: false, refuse: false }),
    aConfirmation({ id: '0199aaaa-0000-7000-8000-0000000000d2', kind: 'emergency', sentence: 'v8 went live' }),
  ]);
  const [first] = await screen.findAllByRole('listitem');
  expect(first?.textContent).toMatch(/less than 7 days ago\. You can confirm it from 27 Nov.*\./);
  expect(first?.querySelector('button')).toBeNull();
  expect(screen.getByRole('button', { name: 'Ratify: v8 went live' })).toBeDefined();
});

test('says in the dialog if someone else has already decided', async () => {
  const { server, user } = open([aConfirmation()]);
  server.on(CONFIRM, { status: 409, json: { error: 'Someone else has decided this.', code: 'not_waiting' } });
  await user.click(await screen.findByRole('button', { name: /^Confirm this person/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Confirm this person' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Someone else has decided this.');
});

test('offers a retry if the list can’t be loaded', async () => {
  const { server, user } = open([]);
  server.on(LIST, { status: 500, json: { error: 'Out of order', code: 'internal' } });
  expect(await screen.findByText('Error loading confirmations')).toBeDefined();
  server.on(LIST, { json: [aConfirmation()] });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Sam Okafor may review')).toBeDefined();
});

test('requests no list for people who can neither confirm nor propose such changes', async () => {
  const server = startFakeServer().on('GET /api/auth/me', { json: inNordlicht(anOwner()) });
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText(/^Only owners and admins can see and confirm these changes/)).toBeDefined();
  expect(server.calls(LIST)).toHaveLength(0);
});
