import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aPersonalUser, aRun, aRunSummary, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const MEMBERS = [
  { id: '0199aaaa-0000-7000-8000-000000000002', name: 'Sam Okafor', email: 'Sam@haldenworks.example', role: 'editor' },
];
let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/runs/summary', {
      json: { total: 128, byStatus: { failed: 1 }, bySla: { breached: 3, at_risk: 0, on_track: 78 } },
    })
    .on('GET /api/organizations/*/users', { json: MEMBERS })
    .on('GET /api/workflows', { json: [] });
});

const openRuns = (address = '/app/runs') => renderApp(address, { token: aToken() });
const row = (name: RegExp) => screen.findByRole('row', { name });
const refresh = () => screen.getByRole('button', { name: 'Refresh' });

test('a run’s row shows its workflow, priority, status, SLA state and duration in words', async () => {
  server.on('GET /api/runs', { json: [aRunSummary()] });
  openRuns();
  const cells = within(await row(/Nordlicht/));
  for (const text of ['Vendor onboarding', 'High', 'Running', 'At risk', '2 d 7 h'])
    expect(cells.getByText(text)).toBeDefined();
  expect(cells.getByRole('img').getAttribute('aria-label')).toBe('Share of SLA used per step: 45%, 68%, 2%, 87%');
  expect(screen.getByText('128 runs')).toBeDefined();
});

test('keeps counting the duration of a running run, but not of a paused one', async () => {
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
])('the header for the address %s with the next cursor %s shows “%s”', async (address, cursor, words) => {
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

test('the panel of a late run shows the step that made it late and that step’s assignee', async () => {
  const late = aRunSummary({ slaState: 'breached' });
  const steps = aRun().steps.map((step) =>
    step.id === 'assess'
      ? {
          ...step,
          assignee: 'sam@haldenworks.example',
          slaState: 'breached' as const,
          dueAt: new Date(0).toISOString(),
        }
      : { ...step, slaState: null },
  );
  server
    .on('GET /api/runs', { json: [late] })
    .on(`GET /api/runs/${late.id}`, { json: aRun({ slaState: 'breached', steps }) });
  const { user } = openRuns();
  await user.click(await row(/Nordlicht/));
  const panel = within(screen.getByRole('complementary', { name: 'Run Nordlicht GmbH' }));
  expect(await panel.findByText(/^Assess risk tier is with Sam Okafor, .* over$/)).toBeDefined();
});

test('Ctrl+R refreshes in place; a failed refresh keeps the rows and shows an error', async () => {
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
  expect(await screen.findByText(/Runs that you start from the editor/)).toBeDefined();
  expect(screen.getByText('Individual Account')).toBeDefined();
  expect(screen.getByText('Personal account')).toBeDefined();
});

test('the filters are stored in the address and sent to the server', async () => {
  server.on('GET /api/runs', { json: [] }).on('GET /api/workflows', {
    json: [{ key: 'vendor-onboarding', metadata: { title: 'Vendor onboarding', description: '' } }],
  });
  server.on('GET /api/workflow-counts', { json: { tags: [{ tag: 'payments', count: 2 }] } });
  const { user, router } = openRuns('/app/runs?q=nord');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Tag' }), 'payments');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'SLA' }), 'Breached');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Workflow' }), 'Vendor onboarding');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Environment' }), 'Production');
  await waitFor(() =>
    expect(Object.fromEntries(server.calls('GET /api/runs').at(-1)?.query ?? [])).toEqual({
      sla: 'breached',
      env: 'production',
      workflow: 'vendor-onboarding',
      tag: 'payments',
      q: 'nord',
      sort: 'newest',
    }),
  );
  expect(router.state.location.search).toBe(
    '?workflow=vendor-onboarding&tag=payments&sla=breached&env=production&q=nord',
  );

  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
});

test('loads more runs with the previous page’s cursor', async () => {
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

test('shows the figure whose runs are listed, and can remove this filter', async () => {
  server.on('GET /api/workflows/*/document', { json: { steps: [{ id: 'check', title: 'Check invoice' }] } });
  const { user } = openRuns(
    '/app/runs?workflow=vendor-onboarding&figure=late:check&days=utc&from=2026-11-16&to=2026-11-22',
  );
  const query = () => Object.fromEntries(server.calls('GET /api/runs').at(-1)?.query ?? []);
  const behind = await screen.findByRole('button', { name: /only those behind this figure: Late: Check invoice$/ });
  expect(query()).toMatchObject({
    figure: 'late:check',
    from: '2026-11-16T00:00:00.000Z',
    to: '2026-11-22T23:59:59.999Z',
    sort: 'newest',
  });
  // The search and the filter by person can't be combined with a figure.
  expect(screen.queryByRole('combobox', { name: 'With' })).toBeNull();
  expect(screen.queryByRole('searchbox')).toBeNull();
  await user.click(behind);
  await waitFor(() => expect(query()['figure']).toBeUndefined());
  expect(screen.getByRole('combobox', { name: 'With' })).toBeDefined();
});

test('exports the listed runs with the current filters', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  onTestFinished(() => saved.mockRestore());
  server.on('GET /api/runs', { json: [aRunSummary()] }).on('GET /api/runs/export.csv', { text: 'Run' });
  const { user } = openRuns('/app/runs?sla=breached&env=testing&tag=payments');
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  await waitFor(() =>
    expect(Object.fromEntries(server.calls('GET /api/runs/export.csv')[0]?.query ?? [])).toEqual({
      sla: 'breached',
      env: 'testing',
      tag: 'payments',
      sort: 'newest',
    }),
  );
  expect(
    await screen.findByText('One line for each run, without the values of forms, notes and attached files.'),
  ).toBeDefined();
  expect(saved).toHaveBeenCalledOnce();
});

test('offers the audit export only with permission', async () => {
  server.on('GET /api/runs', { json: [] });
  const editor = openRuns();
  expect(await screen.findByRole('button', { name: 'Export audit PDF' })).toBeDefined();
  editor.unmount();
  server.on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read'] }) });
  openRuns();
  expect(await screen.findByText('No workflow runs found')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Export audit PDF' })).toBeNull();
});

test('requests no runs without permission to see them and shows a message', async () => {
  server.on('GET /api/auth/me', { json: aUser({ orgPermissions: [] }) });
  openRuns();
  expect(
    await screen.findByText("You don't have permission to view workflow runs in this organization."),
  ).toBeDefined();
  expect(server.calls('GET /api/runs')).toHaveLength(0);
});

const OTHERS = ['Bastide', 'Okeanos', 'Tellus'].map((name, at) =>
  aRunSummary({ id: `5c1e9a07-0000-7000-8000-00000000000${at + 2}`, name, slaState: 'on_track' }),
);

test('shows a row’s current step, its assignee’s name and its due time', async () => {
  server.on('GET /api/runs', {
    json: [aRunSummary({ dueAt: new Date(Date.now() - 50 * 60_000 - 5000).toISOString() })],
  });
  openRuns();
  const cells = within(await row(/Nordlicht/));
  expect(cells.getByText('Assess the risk, Review the contract')).toBeDefined();
  expect(await cells.findByText('Sam Okafor')).toBeDefined();
  expect(cells.getByTitle('Sam Okafor, Reviewer')).toBeDefined();
  expect(cells.getByText('50 min over').getAttribute('title')).toMatch(/\d:\d\d:\d\d/);
  expect(cells.queryByText(/@/)).toBeNull();
});

test('without filters, lists runs that need attention first and shows counts in the header', async () => {
  server.on('GET /api/runs', { json: [aRunSummary(), ...OTHERS] });
  openRuns();
  await row(/Nordlicht/);
  expect(server.calls('GET /api/runs')[0]?.query.get('sort')).toBe('attention');
  const rows = screen.getAllByRole('row').map(({ textContent }) => textContent);
  expect(rows[1]).toBe('Needs attention');
  expect(rows[3]).toBe('Other runs');
  expect(screen.getByText('1 failed · 3 breached · 78 on track')).toBeDefined();
});

test('a column header sorts the list and stores the order in the address', async () => {
  server.on('GET /api/runs', { json: [aRunSummary()] });
  const { user, router } = openRuns('/app/runs?status=running');
  await row(/Nordlicht/);
  const header = (name: string) => screen.getByRole('columnheader', { name });
  await user.click(within(header('Due')).getByRole('button'));
  await waitFor(() => expect(server.calls('GET /api/runs').at(-1)?.query.get('sort')).toBe('due'));
  expect(router.state.location.search).toBe('?status=running&sort=due');
  expect(header('Due').getAttribute('aria-sort')).toBe('ascending');
  expect(header('Workflow').getAttribute('aria-sort')).toBeNull();

  await user.click(within(header('Duration')).getByRole('button'));
  await user.click(within(header('Duration')).getByRole('button'));
  await waitFor(() => expect(router.state.location.search).toBe('?status=running&sort=oldest'));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort' }), 'Highest priority first');
  await waitFor(() => expect(server.calls('GET /api/runs').at(-1)?.query.get('sort')).toBe('priority'));
});

test('filters and the sort order can be saved as a named view, opened, removed and brought back', async () => {
  server.on('GET /api/runs', { json: [aRunSummary()] });
  const app = openRuns('/app/runs?status=running&sort=due');
  const { user, router } = app;
  await row(/Nordlicht/);
  await user.click(screen.getByRole('button', { name: 'Views' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Save this view…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save this view' }));
  await user.keyboard('{Enter}');
  expect(await dialog.findByText('Enter a name')).toBeDefined();
  await user.type(dialog.getByLabelText('Name'), 'Next due{Enter}');
  expect(await screen.findByRole('button', { name: 'View: Next due' })).toBeDefined();

  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'All statuses');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort' }), 'Needs attention first');
  await user.click(await screen.findByRole('button', { name: 'Views' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Next due' }));
  await waitFor(() => expect(router.state.location.search).toBe('?status=running&sort=due'));
  app.unmount();

  // The view is still there after a reload, but not for other people.
  server.on('GET /api/auth/me', { json: aUser({ id: '0199aaaa-0000-7000-8000-0000000000ff' }) });
  const other = openRuns();
  await row(/Nordlicht/);
  expect(screen.queryByRole('button', { name: 'Views' })).toBeNull();
  other.unmount();
  server.on('GET /api/auth/me', { json: aUser() });
  const again = openRuns('/app/runs?status=running&sort=due');
  await again.user.click(await screen.findByRole('button', { name: 'View: Next due' }));
  await again.user.click(await screen.findByRole('menuitem', { name: 'Remove “Next due”' }));
  const toasts = within(screen.getByRole('region', { name: 'Notifications' }));
  expect(await toasts.findByText('View removed')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'View: Next due' })).toBeNull();
  await again.user.click(toasts.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: 'View: Next due' })).toBeDefined();
});

test('filters by person, status, priority and version', async () => {
  server.on('GET /api/runs', { json: [] }).on('GET /api/workflows', {
    json: [
      { key: 'vendor-onboarding', metadata: { title: 'Vendor onboarding', description: '' }, version: { number: 2 } },
    ],
  });
  server.on('GET /api/workflows/*/version-numbers', { json: { numbers: [2, 1] } });
  const { user } = openRuns('/app/runs?workflow=vendor-onboarding');
  const pick = async (name: string, choice: string) =>
    user.selectOptions(
      await screen.findByRole('combobox', { name }),
      await screen.findByRole('option', { name: choice }),
    );
  await pick('Version', 'v1');
  await pick('Status', 'Running');
  await pick('With', 'Sam Okafor');
  await pick('Priority', 'Urgent');
  await waitFor(() =>
    expect(Object.fromEntries(server.calls('GET /api/runs').at(-1)?.query ?? [])).toEqual({
      workflow: 'vendor-onboarding',
      version: '1',
      status: 'running',
      with: 'sam@haldenworks.example',
      priority: 'urgent',
      sort: 'newest',
    }),
  );
});

test('offers versions above the live one after a rollback, and groups that runs wait for', async () => {
  server
    .on('GET /api/runs', { json: [] })
    .on('GET /api/groups', { json: [{ slug: 'finance', name: 'Finance' }] })
    .on('GET /api/workflows', {
      json: [
        { key: 'vendor-onboarding', metadata: { title: 'Vendor onboarding', description: '' }, version: { number: 1 } },
      ],
    })
    .on('GET /api/workflows/vendor-onboarding/version-numbers', { json: { numbers: [2, 1] } });
  const { user } = openRuns('/app/runs?workflow=vendor-onboarding');
  const choices = (name: string) =>
    within(screen.getByRole('combobox', { name }))
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  await screen.findByRole('option', { name: 'v2' });
  expect(choices('Version')).toEqual(['All versions', 'v2', 'v1']);
  expect(server.calls('GET /api/workflows/*/versions')).toEqual([]);
  await screen.findByRole('option', { name: 'Finance (group)' });
  expect(choices('With').slice(0, 4)).toEqual(['With anyone', 'Sam Okafor', 'Finance (group)', 'Owner (role)']);
  await user.selectOptions(screen.getByRole('combobox', { name: 'With' }), 'Finance (group)');
  await waitFor(() => expect(server.calls('GET /api/runs').at(-1)?.query.get('with')).toBe('group:finance'));
});

test('pauses a range of runs with one reason and shows the result of each', async () => {
  server.on('GET /api/runs', { json: [aRunSummary(), ...OTHERS] }).on('POST /api/runs/bulk', ({ body }) => ({
    json: {
      results: (body as { ids: string[] }).ids.map((id, at) => ({
        id,
        refusal: at === 1 ? { code: 'run_paused', error: 'This run is paused' } : null,
      })),
    },
  }));
  const { user } = openRuns();
  await user.click(await screen.findByRole('checkbox', { name: 'Select Nordlicht GmbH' }));
  await user.keyboard('{Shift>}');
  await user.click(screen.getByRole('checkbox', { name: 'Select Okeanos' }));
  await user.keyboard('{/Shift}');
  const bar = within(screen.getByRole('group', { name: 'Selected runs' }));
  expect(bar.getByText('3 selected')).toBeDefined();
  await user.click(bar.getByRole('button', { name: 'Pause' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Pause 3 runs?' }));
  await user.type(dialog.getByRole('textbox'), 'Audit week');
  await user.click(dialog.getByRole('button', { name: 'Pause' }));
  expect(await screen.findByText('2 of 3 runs changed')).toBeDefined();
  const results = within(screen.getByRole('list', { name: 'Results' })).getAllByRole('listitem');
  expect(results.map(({ textContent }) => textContent)).toEqual([
    'Nordlicht GmbHPaused',
    'BastideThis run is paused',
    'OkeanosPaused',
  ]);
  expect(server.calls('POST /api/runs/bulk').map(({ body }) => body)).toEqual([
    {
      ids: [aRunSummary().id, OTHERS[0]?.id, OTHERS[1]?.id],
      action: 'pause',
      reason: 'Audit week',
    },
  ]);
});

test('cancels several runs with a reason and repeats a failed request with the same idempotency key', async () => {
  let isDown = true;
  server
    .on('GET /api/runs', { json: OTHERS })
    .on('POST /api/runs/bulk', ({ body }) =>
      isDown
        ? { status: 503, json: { error: 'The database is not responding', code: 'database_unavailable' } }
        : { json: { results: (body as { ids: string[] }).ids.map((id) => ({ id, refusal: null })) } },
    );
  const { user } = openRuns();
  await user.click(await screen.findByRole('checkbox', { name: 'Select all shown runs' }));
  await user.click(screen.getByRole('button', { name: 'Cancel runs' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel 3 runs?' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel runs' }));
  expect(dialog.getByText('Enter a reason for cancelling the runs')).toBeDefined();
  expect(server.calls('POST /api/runs/bulk')).toHaveLength(0);
  await user.type(dialog.getByRole('textbox'), 'Duplicates');
  await user.click(dialog.getByRole('button', { name: 'Cancel runs' }));
  await user.click(await dialog.findByRole('button', { name: 'Continue' }, { timeout: 5000 }));
  isDown = false;
  await user.click(await dialog.findByRole('button', { name: 'Continue' }, { timeout: 5000 }));
  expect(await screen.findByText('3 of 3 runs changed')).toBeDefined();
  const keys = new Set(server.calls('POST /api/runs/bulk').map(({ headers }) => headers.get('idempotency-key')));
  expect(keys.size).toBe(1);
});

test('exports only the selected runs and offers viewers no actions on them', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  onTestFinished(() => saved.mockRestore());
  server
    .on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read'] }) })
    .on('GET /api/runs', { json: OTHERS })
    .on('GET /api/runs/export.csv', { text: 'Run' });
  const { user } = openRuns('/app/runs?sort=due');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Bastide' }));
  expect(screen.queryByRole('button', { name: 'Cancel runs' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Start run' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Export selected' }));
  await waitFor(() => expect(server.calls('GET /api/runs/export.csv')[0]?.query.get('ids')).toBe(OTHERS[0]?.id));
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
});

test('offers only live workflows for a new run, and starts and opens a run of the chosen one', async () => {
  server
    .on('GET /api/runs', { json: OTHERS })
    .on('GET /api/workflows', {
      json: [
        { key: 'vendor-onboarding', metadata: { title: 'Vendor onboarding', description: '' }, version: { number: 2 } },
        { key: 'hiring', metadata: { title: 'Hiring', description: '' }, version: { number: 1 } },
        { key: 'draft', metadata: { title: 'Only a draft', description: '' }, version: null },
      ],
    })
    .on('POST /api/runs', { status: 201, json: aRun() })
    .on(`GET /api/runs/${aRun().id}`, { json: aRun() });
  const { user, router } = openRuns();
  await user.click(await screen.findByRole('button', { name: 'Start run' }));
  const offered = await screen.findAllByRole('menuitem');
  expect(offered.map(({ textContent }) => textContent)).toEqual(['Hiring', 'Vendor onboarding']);
  await user.click(screen.getByRole('menuitem', { name: 'Hiring' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Start Workflow Run' }));
  const name = dialog.getByLabelText('Run Name');
  await user.clear(name);
  await user.type(name, 'Designer');
  await user.click(dialog.getByRole('button', { name: 'Start Run' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/app/runs/${aRun().id}`));
  expect(server.calls('POST /api/runs').map(({ body }) => body)).toMatchObject([{ key: 'hiring', name: 'Designer' }]);
});
