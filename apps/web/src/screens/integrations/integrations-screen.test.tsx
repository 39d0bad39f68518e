import type { SlackStatus } from '@stet/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { leaveApp } from '../../lib/leave-app.ts';
import { serveEvents } from '../../testing/fake-events.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import { anOwner, inNordlicht } from '../../testing/people.ts';
import { aToken } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ADDRESS = '/app/integrations';
const HERE = '/api/integrations/slack';
const slack = (change: Partial<SlackStatus> = {}): SlackStatus => ({
  connected: false,
  available: true,
  workspace: null,
  channel: null,
  problem: null,
  connectedAt: null,
  connectedBy: null,
  ...change,
});
const connected = (change: Partial<SlackStatus> = {}): SlackStatus =>
  slack({
    connected: true,
    workspace: 'Halden Works',
    connectedAt: new Date(Date.now() - 7_200_000).toISOString(),
    connectedBy: 'Priya Nair',
    ...change,
  });
const open = (status: SlackStatus, user = anOwner()) =>
  startFakeServer()
    .on('GET /api/auth/me', { json: user })
    .on(`GET ${HERE}/status`, { json: status })
    .on(`GET ${HERE}/channels`, {
      json: [
        { id: 'C1', name: 'approvals' },
        { id: 'C2', name: 'team' },
      ],
    });

test('Connect requests a ticket and opens Slack with it', async () => {
  const leave = vi.spyOn(leaveApp, 'to').mockImplementation(() => undefined);
  const server = open(slack()).on(`POST ${HERE}/tickets`, { json: { url: `${HERE}/install?ticket=abc` } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const card = await screen.findByRole('region', { name: 'Slack' });
  expect(within(card).getByText('Receive notifications in Slack when steps are assigned to you.')).toBeDefined();
  await user.click(within(card).getByRole('button', { name: 'Connect' }));
  await waitFor(() => expect(leave).toHaveBeenCalledWith(`${HERE}/install?ticket=abc`));
  expect(server.calls(`POST ${HERE}/tickets`)).toHaveLength(1);
});

test('shows the specified message after returning from Slack', async () => {
  open(connected());
  const { router } = renderApp(`${ADDRESS}?slack=success`, { token: aToken() });
  expect(await screen.findByText('Slack has been connected successfully.')).toBeDefined();
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Connected' })).disabled).toBe(true);
  await act(() => router.navigate(`${ADDRESS}?slack=error`));
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to connect Slack. Please try again.');
  expect(screen.queryByText('Slack has been connected successfully.')).toBeNull();
});

test('lets people choose one of the workspace’s channels and asks before disconnecting', async () => {
  const server = open(connected())
    .on(`PATCH ${HERE}`, { json: connected({ channel: { id: 'C2', name: 'team' } }) })
    .on(`DELETE ${HERE}`, { json: slack() });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect((await screen.findByText(/^Workspace/)).textContent).toBe(
    'Workspace Halden Works · connected by Priya Nair · 2h ago',
  );
  const channel = await screen.findByLabelText<HTMLSelectElement>('Channel');
  await screen.findByRole('option', { name: '#team' });
  await user.selectOptions(channel, '#team');
  expect(await screen.findByText('Channel saved')).toBeDefined();
  expect(server.calls(`PATCH ${HERE}`)[0]?.body).toEqual({ channelId: 'C2' });
  expect(channel.value).toBe('C2');

  await user.click(screen.getByRole('button', { name: 'Disconnect' }));
  const dialog = await screen.findByRole('dialog', { name: 'Disconnect Halden Works?' });
  await user.click(within(dialog).getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('Slack disconnected')).toBeDefined();
  expect(await screen.findByRole('button', { name: 'Connect' })).toBeDefined();
});

test('shows a message on a server without a Slack app', async () => {
  const server = open(slack({ available: false }));
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText(/^Slack isn’t set up on this server\. Ask your administrator/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Connect' }));
  expect(server.calls(`POST ${HERE}/tickets`)).toHaveLength(0);
});

test('people who don’t manage the organization see the state but can’t change it', async () => {
  open(connected({ channel: { id: 'C1', name: 'approvals' } }), inNordlicht(anOwner()));
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('Channel: #approvals')).toBeDefined();
  expect(screen.queryByLabelText('Channel')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Disconnect' })).toBeNull();
});

test('asks to reconnect if Slack has ended the connection', async () => {
  const leave = vi.spyOn(leaveApp, 'to').mockImplementation(() => undefined);
  open(connected({ problem: 'token_revoked' })).on(`POST ${HERE}/tickets`, { json: { url: '/there' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Reconnect' }));
  await waitFor(() => expect(leave).toHaveBeenCalledWith('/there'));
});

test('logs that the status can’t be loaded, but shows no error', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  open(slack()).on(`GET ${HERE}/status`, { status: 400, json: { error: 'No', code: 'invalid' } });
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByRole('button', { name: 'Connect' })).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(logged).toHaveBeenCalledWith('Slack status could not be read', expect.anything());
});

test('a connection made by someone else appears immediately', async () => {
  const server = open(slack());
  const events = serveEvents(server);
  renderApp(ADDRESS, { token: aToken() });
  await screen.findByRole('button', { name: 'Connect' });
  await waitFor(() => expect(events.openStreams()).toBe(1));
  server.on(`GET ${HERE}/status`, { json: connected() });
  act(() => events.send('changed', { subject: 'integration', id: 'slack' }));
  expect(await screen.findByRole('button', { name: 'Connected' })).toBeDefined();
});
