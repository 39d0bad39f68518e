import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aUser } from '../../testing/records.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { aStatus, aVerification, anEvent, openAudit, startAuditServer } from '../../testing/audit-scene.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startAuditServer();
});

test('shows when an intact chain was verified and up to which event it is sealed', async () => {
  openAudit();
  const seal = within(await screen.findByRole('region', { name: 'Chain verified' }));
  expect(seal.getByText('Each event links to the one before it.')).toBeDefined();
  expect(seal.getByText('18,204')).toBeDefined();
  expect(seal.getByText(/^up to 18,204/)).toBeDefined();
  expect(seal.getByText(/just now$/)).toBeDefined();
  expect(server.calls('POST /api/audit/verify')).toHaveLength(0);
});

test('shows the first invalid event in a broken chain and what to do', async () => {
  server.on('GET /api/audit/status', {
    json: aStatus({
      verification: {
        ...aVerification(),
        state: 'broken',
        firstBadSeq: 18_199,
        problem: 'digest',
        sentence: 'Event 18199 differs from what was recorded',
      },
    }),
  });
  openAudit();
  const seal = within(await screen.findByRole('region', { name: 'Chain broken' }));
  expect(
    seal.getByText(/Event 18199 differs from what was recorded\. You can’t rely on event no\. 18199 and later ones/),
  ).toBeDefined();
  expect(seal.getByText(/Export the data, keep the file, and ask your administrator/)).toBeDefined();
  expect(await screen.findByText('is the first invalid event')).toBeDefined();
});

test('reports a stored record that differs from the chain, without blaming an event', async () => {
  const sentence = 'The stored policy strict is true, but should be false according to its events';
  const verification = {
    ...aVerification(),
    state: 'broken' as const,
    firstBadSeq: 18_204,
    problem: 'row' as const,
    sentence,
  };
  server
    .on('GET /api/audit/status', { json: aStatus({ verification }) })
    .on('GET /api/audit/events', { json: [anEvent({ seq: 18_204 })] });
  openAudit();
  const seal = within(await screen.findByRole('region', { name: 'Chain broken' }));
  expect((await screen.findByText('18204')).closest('td')?.title).toBe('Verified');
  expect(
    seal.getByText(/but should be false according to its events\. Don’t change anything\. Export the data/),
  ).toBeDefined();
  expect(screen.queryByText('is the first invalid event')).toBeNull();
});

test('opening the screen verifies a chain that was never verified, and shows the progress', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let asked = 0;
  const running = { ...aVerification(), state: 'running' as const, done: 3000 };
  server
    .on('GET /api/audit/status', () => ({
      json: aStatus({
        verification:
          server.calls('POST /api/audit/verify').length === 0 ? null : (asked += 1) > 2 ? aVerification() : running,
      }),
    }))
    .on('POST /api/audit/verify', { json: aStatus({ verification: running }) });
  openAudit();
  expect(await screen.findByText('3,000 of 18,204 events')).toBeDefined();
  expect(await screen.findByRole('region', { name: 'Chain verified' })).toBeDefined();
  expect(server.calls('POST /api/audit/verify')).toHaveLength(1);
});

test('shows why the server refuses to verify the chain again', async () => {
  server.on('POST /api/audit/verify', { status: 503, json: { error: 'The server is stopping', code: 'stopping' } });
  const { user } = openAudit();
  await user.click(await screen.findByRole('button', { name: 'Verify again' }));
  expect(await screen.findByText('The server is stopping')).toBeDefined();
});

test('shows how many events the filtered days contain, and exports them', async () => {
  const create = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  server.on('GET /api/audit/export.ndjson', { text: '{}' });
  const { user } = openAudit('/app/audit?from=2026-10-01&to=2026-11-20');
  const card = within(await screen.findByRole('region', { name: 'Export' }));
  expect(await card.findByText('1,932 events.')).toBeDefined();
  expect(card.getByRole('button', { name: '1 Oct 2026 – 20 Nov 2026' })).toBeDefined();
  expect(card.getByText('stet/org+01234567+AAAA')).toBeDefined();
  await user.click(card.getByRole('button', { name: 'Data' }));
  await waitFor(() => expect(server.calls('GET /api/audit/export.ndjson')).toHaveLength(1));
  const query = server.calls('GET /api/audit/export.ndjson')[0]?.query;
  expect(query?.get('from')).toBe(new Date('2026-10-01T00:00:00').toISOString());
  expect(query?.get('to')).toBe(new Date('2026-11-20T23:59:59.999').toISOString());
  await waitFor(() => expect(create).toHaveBeenCalledOnce());
});

test('stops an export on request; the server recorded it before, so the list is loaded again', async () => {
  const create = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  create.mockClear();
  server.on(
    'GET /api/audit/export.ndjson',
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      }),
  );
  const { user } = openAudit();
  const card = within(await screen.findByRole('region', { name: 'Export' }));
  await user.click(card.getByRole('button', { name: 'Data' }));
  const loaded = server.calls('GET /api/audit/events').length;
  await user.click(await card.findByRole('button', { name: 'Stop the export' }));
  expect(await card.findByRole('button', { name: 'Data' })).toBeDefined();
  await waitFor(() => expect(server.calls('GET /api/audit/events')).toHaveLength(loaded + 1));
  expect(card.queryByRole('alert')).toBeNull();
  expect(create).not.toHaveBeenCalled();
});

test('loads the list again after a failed export, which the server may have recorded', async () => {
  server.on('GET /api/audit/export.pdf', { status: 500, json: { error: 'Something failed', code: 'internal' } });
  const { user } = openAudit();
  const card = within(await screen.findByRole('region', { name: 'Export' }));
  await waitFor(() => expect(server.calls('GET /api/audit/events')).toHaveLength(1));
  await user.click(card.getByRole('button', { name: 'Audit PDF' }));
  expect(await card.findByRole('alert')).toBeDefined();
  await waitFor(() => expect(server.calls('GET /api/audit/events')).toHaveLength(2));
});

test('without permission, hides the link to the audit trail and shows a message at its address', async () => {
  const may = openAudit();
  expect((await screen.findAllByRole('link', { name: 'Audit trail' })).length).toBeGreaterThan(0);
  may.unmount();
  server.on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read'] }) });
  openAudit();
  expect(
    await screen.findByText("You don't have permission to see the audit trail of this organization."),
  ).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Audit trail' })).toBeNull();
  expect(server.calls('GET /api/audit/events').length).toBeLessThan(2);
});
