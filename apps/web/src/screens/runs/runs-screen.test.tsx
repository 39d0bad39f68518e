import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aPersonalUser, aRunSummary, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/runs/summary', { json: { total: 128, byStatus: {} } })
    .on('GET /api/workflows', { json: [] });
});

const openRuns = (address = '/app/runs') => renderApp(address, { token: aToken() });
const row = (name: RegExp) => screen.findByRole('row', { name });
const refresh = () => screen.getByRole('button', { name: 'Refresh' });

test('a run’s row shows its status in words', async () => {
  server.on('GET /api/runs', { json: [aRunSummary()] });
  openRuns();
  const cells = within(await row(/Nordlicht/));
  for (const text of ['Vendor onboarding', 'High', 'Running', 'At risk', '2 d 7 h'])
    expect(cells.getByText(text)).toBeDefined();
  expect(cells.getByRole('img').getAttribute('aria-label')).toBe('Share of SLA used per step: 45%, 68%, 2%, 87%');
  expect(screen.getByText('128 runs')).toBeDefined();
});

test('updates the duration of a running run from the server’s value, and no other duration', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.setSystemTime(Date.UTC(2020, 0, 1));
  server.on('GET /api/runs', {
    json: [
      aRunSummary({ durationMs: 600_000 }),
      aRunSummary({
        id: '5c1e9a07-0000-7000-8000-000000000002',
        name: 'Bastide',
        status: 'paused',
        durationMs: 60_000,
      }),
    ],
  });
  openRuns();
  const seconds = async () => {
    const [, minutes, rest] =
      /^(\d+)m (\d+)s$/.exec(within(await row(/Nordlicht/)).getByText(/^\d+m \d+s$/).textContent) ?? [];
    return Number(minutes) * 60 + Number(rest);
  };
  const before = await seconds();
  expect(before).toBeGreaterThanOrEqual(600);
  server.on('GET /api/runs', () => new Promise(() => undefined));
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(await seconds()).toBeGreaterThanOrEqual(before + 20);
  expect(within(await row(/Bastide/)).getByText('1m 0s')).toBeDefined();
});

test.each([
  ['/app/runs', undefined, '128 runs'],
  ['/app/runs?sla=breached', undefined, '2 of 128 runs'],
  ['/app/runs?sla=breached', 'next', '2+ of 128 runs'],
])('with the address %s and the next page %s, the header says "%s"', async (address, cursor, words) => {
  server.on('GET /api/runs', {
    json: [aRunSummary(), aRunSummary({ id: '5c1e9a07-0000-7000-8000-000000000002', name: 'Bastide' })],
    ...(cursor && { headers: { 'x-next-cursor': cursor } }),
  });
  openRuns(address);
  await row(/Nordlicht/);
  expect(await screen.findByText(words)).toBeDefined();
});

test('a click selects a run, Escape clears the selection, and Enter opens the run', async () => {
  server.on('GET /api/runs', {
    json: [aRunSummary(), aRunSummary({ id: '5c1e9a07-0000-7000-8000-000000000002', name: 'Bastide' })],
  });
  const { user, router } = openRuns();
  await user.click(await row(/Nordlicht/));
  const panel = within(screen.getByRole('complementary', { name: 'Run Nordlicht GmbH' }));
  expect(panel.getByText(/807000 seconds/)).toBeDefined();
  expect(panel.getByText('Sign the framework contract')).toBeDefined();
  expect(panel.getByText('Mara Lindqvist')).toBeDefined();

  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole('complementary', { name: 'Run Bastide' })).toBeDefined();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('complementary')).toBeNull();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/runs/5c1e9a07-0000-7000-8000-000000000002'));
});

test('Ctrl+R refreshes in place, and a failed refresh keeps the rows and shows an error', async () => {
  server.on('GET /api/runs', { json: [aRunSummary()] });
  const { user } = openRuns();
  await user.click(await row(/Nordlicht/));
  server.on('GET /api/runs', { json: [aRunSummary({ status: 'paused' })] });
  expect(fireEvent.keyDown(document.body, { key: 'r', ctrlKey: true })).toBe(false);
  await waitFor(async () => expect(within(await row(/Nordlicht/)).getByText('Paused')).toBeDefined());
  expect(screen.getByRole('complementary', { name: 'Run Nordlicht GmbH' })).toBeDefined();

  server.on('GET /api/runs', { status: 500, json: { error: 'Out of order', code: 'internal' } });
  await user.click(refresh());
  expect(await screen.findByText(/Couldn’t refresh/)).toBeDefined();
  expect(await row(/Nordlicht/)).toBeDefined();
});

test('refetches the list after 8 seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server.on('GET /api/runs', { json: [aRunSummary()] });
  openRuns();
  await row(/Nordlicht/);
  const before = server.calls('GET /api/runs').length;
  await vi.advanceTimersByTimeAsync(8000);
  await waitFor(() => expect(server.calls('GET /api/runs').length).toBeGreaterThan(before));
});

test('a failed first load replaces the table and can be retried', async () => {
  server.on('GET /api/runs', { status: 500, text: '' });
  const { user } = openRuns();
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Error loading runs')).toBeDefined();
  expect(alert.getByText('Failed to load runs')).toBeDefined();
  server.on('GET /api/runs', { json: [aRunSummary()] });
  await user.click(alert.getByRole('button', { name: 'Try again' }));
  expect(await row(/Nordlicht/)).toBeDefined();
});

test('an empty list has different hints for teams and personal accounts', async () => {
  server.on('GET /api/runs', { json: [] });
  const team = openRuns();
  expect(await screen.findByText('No workflow runs found')).toBeDefined();
  expect(screen.getByText(/Nobody in Halden Works/)).toBeDefined();
  expect(screen.queryByText('Individual Account')).toBeNull();
  team.unmount();

  server.on('GET /api/auth/me', { json: aPersonalUser() });
  openRuns();
  expect(await screen.findByText(/one of your workflows/)).toBeDefined();
  expect(screen.getByText('Individual Account')).toBeDefined();
  expect(screen.getByText('Personal account')).toBeDefined();
});

test('the filters are stored in the address and sent to the server', async () => {
  server.on('GET /api/runs', { json: [] }).on('GET /api/workflows', {
    json: [{ key: 'vendor-onboarding', metadata: { title: 'Vendor onboarding', description: '' } }],
  });
  const { user, router } = openRuns('/app/runs?q=nord');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'SLA' }), 'Breached');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Workflow' }), 'Vendor onboarding');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Environment' }), 'Production');
  await waitFor(() =>
    expect(Object.fromEntries(server.calls('GET /api/runs').at(-1)?.query ?? [])).toEqual({
      sla: 'breached',
      env: 'production',
      workflow: 'vendor-onboarding',
      q: 'nord',
    }),
  );
  expect(router.state.location.search).toBe('?workflow=vendor-onboarding&sla=breached&env=production&q=nord');

  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
});

test('loads more runs with the last page’s cursor', async () => {
  server.on('GET /api/runs', ({ query }) =>
    query.get('cursor') === 'next'
      ? { json: [aRunSummary({ id: '6c1e9a07-0000-7000-8000-000000000003', name: 'Okeanos' })] }
      : { json: [aRunSummary()], headers: { 'x-next-cursor': 'next' } },
  );
  const { user } = openRuns();
  await user.click(await screen.findByRole('button', { name: 'Load more' }));
  expect(await row(/Okeanos/)).toBeDefined();
  expect(await row(/Nordlicht/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
});

test('exports the listed runs with their filters', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }));
  server.on('GET /api/runs', { json: [aRunSummary()] }).on('GET /api/runs/export.csv', { text: 'Run' });
  const { user } = openRuns('/app/runs?sla=breached&env=testing');
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  await waitFor(() =>
    expect(Object.fromEntries(server.calls('GET /api/runs/export.csv')[0]?.query ?? [])).toEqual({
      sla: 'breached',
      env: 'testing',
    }),
  );
});

test('only offers the export with permission', async () => {
  server.on('GET /api/runs', { json: [] });
  const editor = openRuns();
  expect(await screen.findByRole('button', { name: 'Export audit PDF' })).toBeDefined();
  editor.unmount();
  server.on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read'] }) });
  openRuns();
  expect(await screen.findByText('No workflow runs found')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Export audit PDF' })).toBeNull();
});

test('requests nothing without permission to see runs, and a message explains it', async () => {
  server.on('GET /api/auth/me', { json: aUser({ orgPermissions: [] }) });
  openRuns();
  expect(
    await screen.findByText("You don't have permission to view workflow runs in this organization."),
  ).toBeDefined();
  expect(server.calls('GET /api/runs')).toHaveLength(0);
});
