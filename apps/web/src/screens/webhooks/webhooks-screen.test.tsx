import type { Webhook, WebhookDelivery } from '@stet/contract';
import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import { anOwner, inNordlicht } from '../../testing/people.ts';
import { aToken } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ADDRESS = '/app/settings/webhooks';
const SECRET = `stet_whsec_${'x'.repeat(43)}`;

const aWebhook = (change: Partial<Webhook> = {}): Webhook => ({
  id: '0199aaaa-0000-7000-8000-0000000000c1',
  name: 'Ticket system',
  url: 'https://tickets.example/hooks/stet',
  actions: ['run.started', 'run.failed'],
  isActive: true,
  createdAt: '2026-11-01T08:00:00.000Z',
  oldSecretUntil: null,
  waiting: 0,
  dead: 0,
  failuresInRow: 0,
  ...change,
});
const aDelivery = (change: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: '0199aaaa-0000-7000-8000-0000000000c2',
  seq: 41,
  action: 'run.started',
  state: 'delivered',
  attempts: 1,
  status: 200,
  problem: null,
  tookMs: 34,
  createdAt: '2026-11-20T08:00:00.000Z',
  nextAttemptAt: null,
  endedAt: '2026-11-20T08:00:01.000Z',
  ...change,
});
const asOwner = (webhooks: Webhook[] = []) =>
  startFakeServer().on('GET /api/auth/me', { json: anOwner() }).on('GET /api/webhooks', { json: webhooks });

test('adds a webhook for the chosen events and shows its secret', async () => {
  const server = asOwner().on('POST /api/webhooks', { status: 201, json: { secret: SECRET, webhook: aWebhook() } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'New webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(await dialog.findByText('Enter a URL')).toBeDefined();
  await user.type(dialog.getByLabelText('Name'), 'Ticket system');
  await user.type(dialog.getByLabelText('Address'), 'https://tickets.example/hooks/stet');
  await user.click(dialog.getByRole('checkbox', { name: /Send all events/ }));
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(await dialog.findByText('Choose at least one event')).toBeDefined();
  const runs = within(dialog.getByRole('group', { name: 'Runs' }));
  await user.click(runs.getByRole('checkbox', { name: 'Started run' }));
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  const shown = within(await screen.findByRole('dialog', { name: 'Signing secret' }));
  expect(shown.getByLabelText<HTMLInputElement>('Secret').value).toBe(SECRET);
  expect(server.calls('POST /api/webhooks')[0]?.body).toEqual({
    name: 'Ticket system',
    url: 'https://tickets.example/hooks/stet',
    actions: ['run.started'],
  });
});

test('keeps the input if an address is refused and shows the reason', async () => {
  const refusal = { error: 'This address is not on the public internet', code: 'invalid' };
  asOwner().on('POST /api/webhooks', { status: 400, json: refusal });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'New webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  await user.type(dialog.getByLabelText('Name'), 'Inside');
  await user.type(dialog.getByLabelText('Address'), 'https://10.0.0.1/');
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(await dialog.findByText(refusal.error)).toBeDefined();
  expect(dialog.getByLabelText<HTMLInputElement>('Address').value).toBe('https://10.0.0.1/');
});

test('lists deliveries with their results and offers to send failed or pending ones again', async () => {
  const dead = aDelivery({
    id: '0199aaaa-0000-7000-8000-0000000000c3',
    seq: 40,
    state: 'dead',
    attempts: 10,
    status: 500,
    problem: 'The server responded with 500',
  });
  const waiting = aDelivery({ id: '0199aaaa-0000-7000-8000-0000000000c4', seq: 39, state: 'waiting', attempts: 3 });
  const server = asOwner([aWebhook({ dead: 1, failuresInRow: 4 })])
    .on('GET /api/webhooks/*/deliveries', { json: [aDelivery(), dead, waiting] })
    .on('POST /api/webhooks/*/deliveries/*/redeliver', { json: aDelivery({ state: 'waiting', attempts: 0 }) })
    .on('POST /api/webhooks/*/redeliver', { json: { redelivered: 1 } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('Failing')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Deliveries to Ticket system' }));
  const log = within(await screen.findByRole('list', { name: 'Deliveries to Ticket system' }));
  expect(log.getByText('#41 started run')).toBeDefined();
  expect(log.getByText(/10 tries. The server responded with 500/)).toBeDefined();
  await user.click(log.getByRole('button', { name: 'Send again: #40' }));
  expect(server.calls('POST /api/webhooks/*/deliveries/*/redeliver')).toHaveLength(1);
  await user.click(log.getByRole('button', { name: 'Send now: #39' }));
  expect(server.calls('POST /api/webhooks/*/deliveries/*/redeliver')).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Resend failed deliveries' }));
  expect(await screen.findByText('1 event')).toBeDefined();
});

test('shows a delivery that is sent while the log is open, even if nothing was pending', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let sent = [aDelivery()];
  asOwner([aWebhook()]).on('GET /api/webhooks/*/deliveries', () => ({ json: sent }));
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Deliveries to Ticket system' }));
  const log = within(await screen.findByRole('list', { name: 'Deliveries to Ticket system' }));
  expect(log.getAllByRole('listitem')).toHaveLength(1);
  sent = [aDelivery({ id: '0199aaaa-0000-7000-8000-0000000000c5', seq: 42, action: 'run.failed' }), ...sent];
  await act(() => vi.advanceTimersByTimeAsync(6000));
  expect(await log.findByText('#42 run failed')).toBeDefined();
});

test('lets people pause, test and remove a webhook and replace its secret', async () => {
  const server = asOwner([aWebhook()])
    .on('PATCH /api/webhooks/*', { json: aWebhook({ isActive: false }) })
    .on('POST /api/webhooks/*/test', { json: aDelivery({ seq: null, state: 'waiting', attempts: 0 }) })
    .on('POST /api/webhooks/*/rotate', { json: { secret: SECRET, webhook: aWebhook() } })
    .on('DELETE /api/webhooks/*', { json: { message: 'ok' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const pick = async (entry: string) => {
    await user.click(await screen.findByRole('button', { name: 'More for Ticket system' }));
    await user.click(await screen.findByRole('menuitem', { name: entry }));
  };
  await user.click(await screen.findByRole('button', { name: 'Send a test to Ticket system' }));
  expect(await screen.findByText('Test event queued')).toBeDefined();
  await pick('Pause');
  expect(await screen.findByText('Webhook paused')).toBeDefined();
  expect(server.calls('PATCH /api/webhooks/*')[0]?.body).toEqual({ isActive: false });
  await pick('New secret');
  await user.click(await screen.findByRole('button', { name: 'Create a new secret' }));
  const shown = await screen.findByRole('dialog', { name: 'Signing secret' });
  await user.click(within(shown).getByRole('button', { name: 'Done' }));
  await pick('Remove');
  const asked = await screen.findByRole('dialog', { name: 'Remove this webhook?' });
  await user.click(within(asked).getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Webhook removed')).toBeDefined();
});

test('people who can’t manage webhooks see a message, and none are requested', async () => {
  const server = startFakeServer().on('GET /api/auth/me', { json: inNordlicht(anOwner()) });
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('Only owners and admins can manage webhooks')).toBeDefined();
  expect(server.calls('GET /api/webhooks')).toHaveLength(0);
});
