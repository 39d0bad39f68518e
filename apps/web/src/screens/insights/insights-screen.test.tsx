import type { Conformance, InsightsOverview, WorkflowInsights, WorkflowReviews } from '@stet/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { members } from '../../testing/people.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const HOUR = 3600;
const percentiles = (p50: number | null, p90 = p50) => ({ p50, p90 });
const times = (count: number, hours: number, waiting = hours) => ({
  count,
  calendar: percentiles(hours * HOUR, 2 * hours * HOUR),
  working: percentiles(hours * HOUR),
  waiting: percentiles(waiting * HOUR),
  handling: percentiles((hours - waiting) * HOUR),
});
const step = (stepId: string, title: string, hours: number, more = {}) => ({
  stepId,
  title,
  type: 'manual',
  doneBy: 'group:finance',
  runs: 40,
  visits: 44,
  completed: 40,
  skipped: 0,
  failed: 0,
  returned: 4,
  sentBack: 0,
  handedOver: 2,
  bypassed: 0,
  inRuns: { completed: 40, skipped: 0, failed: 0, returned: 3, sentBack: 0, handedOver: 2, late: 9 },
  times: times(40, hours),
  sla: { timed: 40, kept: 30 },
  people: null,
  ...more,
});
const change = (before: number, after: number, verdict: 'faster' | 'too_few_runs') => ({
  before: { runs: 30, p50: before * HOUR },
  after: { runs: 25, p50: after * HOUR },
  verdict,
});
const PERIOD = { asOf: '2026-11-23T10:00:00.000Z', from: '2026-05-25', to: '2026-11-29' };
const runs = { started: 50, completed: 40, times: times(40, 50, 40), sla: { timed: 40, kept: 32 } };
const INSIGHTS: WorkflowInsights = {
  ...PERIOD,
  workflow: { key: 'vendor-onboarding', title: 'Vendor onboarding' },
  version: null,
  stepsOf: 7,
  runs: { ...runs, ended: 45, failed: 2, cancelled: 3 },
  weeks: [
    { week: '2026-11-09', ...runs },
    { week: '2026-11-16', ...runs, sla: { timed: 0, kept: 0 } },
  ],
  versions: [
    { version: 6, ...runs },
    { version: 7, ...runs },
  ],
  steps: [
    step('enter', 'Enter vendor', 2),
    step('check', 'Check the contract', 30, {
      type: 'approval',
      skipped: 3,
      inRuns: { completed: 37, skipped: 3, failed: 0, returned: 0, sentBack: 4, handedOver: 1, late: 10 },
    }),
  ],
  paths: {
    listed: [
      { id: 'aa', stepIds: ['enter', 'check'], runs: 30 },
      { id: 'bb', stepIds: ['enter'], runs: 10 },
    ],
    others: 0,
    runs: 40,
  },
  change: {
    before: 6,
    after: 7,
    measures: {
      calendar: change(80, 50, 'faster'),
      working: change(40, 30, 'faster'),
      waiting: change(60, 40, 'faster'),
      handling: change(2, 2, 'too_few_runs'),
    },
    steps: [{ stepId: 'check', title: 'Check the contract', ...change(48, 30, 'faster') }],
  },
  load: [
    { who: 'group:finance', week: '2026-11-09', arrived: 12, done: 9 },
    { who: 'group:finance', week: '2026-11-16', arrived: 15, done: 14 },
  ],
};
const RUN_ID = '0199aaaa-0000-7000-8000-00000000aaaa';
const CONFORMANCE: Conformance = {
  ...PERIOD,
  workflow: INSIGHTS.workflow,
  version: null,
  runs: 45,
  counts: [{ kind: 'approved_at_once', stepId: 'check', title: 'Check the contract', findings: 2 }],
  findings: [
    {
      kind: 'approved_at_once',
      at: '2026-11-18T10:00:00.000Z',
      run: { id: RUN_ID, name: 'Vendor 17' },
      step: { id: 'check', title: 'Check the contract' },
      version: 7,
    },
  ],
};
const OVERVIEW: InsightsOverview = {
  ...PERIOD,
  runs: { started: 50, ended: 45, completed: 40, sla: { timed: 40, kept: 32 } },
  workflows: [
    {
      key: 'vendor-onboarding',
      title: 'Vendor onboarding',
      started: 50,
      ended: 45,
      completed: 40,
      sla: { timed: 40, kept: 32 },
      findings: 2,
    },
  ],
  late: [
    {
      key: 'vendor-onboarding',
      title: 'Vendor onboarding',
      stepId: 'check',
      stepTitle: 'Check the contract',
      doneBy: 'group:finance',
      runs: 4,
      since: '2026-11-20T10:00:00.000Z',
    },
  ],
  load: INSIGHTS.load,
  reviews: [],
  finishedReviews: [
    {
      key: 'vendor-onboarding',
      title: 'Vendor onboarding',
      finished: 3,
      changesRequested: 1,
      p50: 30 * HOUR,
      p90: 50 * HOUR,
    },
  ],
};
const REVIEWS: WorkflowReviews = {
  ...PERIOD,
  workflow: INSIGHTS.workflow,
  version: null,
  all: { finished: 3, changesRequested: 1, p50: 30 * HOUR, p90: 50 * HOUR },
  weeks: [{ week: '2026-11-16', finished: 3, changesRequested: 1, p50: 30 * HOUR, p90: 50 * HOUR }],
  versions: [
    { version: 7, finished: 2, changesRequested: 0, p50: 2 * HOUR, p90: 30 * HOUR },
    { version: null, finished: 1, changesRequested: 1, p50: 50 * HOUR, p90: 50 * HOUR },
  ],
  reviews: [
    {
      draftId: '0199aaaa-0000-7000-8000-00000000bbbb',
      title: 'Vendor onboarding',
      version: 7,
      submittedAt: '2026-11-17T10:00:00.000Z',
      decidedAt: '2026-11-18T16:00:00.000Z',
      decision: 'approved',
      seconds: 30 * HOUR,
    },
    {
      draftId: '0199aaaa-0000-7000-8000-00000000cccc',
      title: null,
      version: null,
      submittedAt: '2026-11-14T10:00:00.000Z',
      decidedAt: '2026-11-16T12:00:00.000Z',
      decision: 'changes_requested',
      seconds: 50 * HOUR,
    },
  ],
};

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', {
      json: aUser({ orgPermissions: ['workflow.read', 'draft.edit', 'draft.comment', 'org.manage'] }),
    })
    .on('GET /api/workflows', {
      json: [{ key: 'vendor-onboarding', metadata: { title: 'Vendor onboarding' }, version: { number: 7 } }],
    })
    .on('GET /api/workflows/*', {
      json: { key: 'vendor-onboarding', metadata: { title: 'Vendor onboarding' }, steps: [], versions: [], tags: [] },
    })
    .on('GET /api/workflows/*/insights', { json: INSIGHTS })
    .on('GET /api/workflows/*/conformance', { json: CONFORMANCE })
    .on('GET /api/workflows/*/insights/reviews', { json: REVIEWS })
    .on('GET /api/insights/overview', { json: OVERVIEW });
});
const open = (query = '?workflow=vendor-onboarding') => renderApp(`/app/runs/insights${query}`, { token: aToken() });

test('the summary names the slowest step, the effect of the newest version, and the step to improve first', async () => {
  open();
  const story = within(await screen.findByRole('region', { name: 'In short' }));
  expect(screen.getByText(/^Runs started from .*Counted up to .*2026, \d?\d:\d\d( [AP]M)?⁩?\.$/)).toBeDefined();
  expect(story.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'The slowest step is Check the contract: half of the runs need more than 1 d 6 h for it. Most of that is waiting for someone to begin.',
    'Since v7, runs are faster: 3 d 8 h → 2 d 2 h (30 runs before, 25 runs after). Check the contract changed most: 2 d → 1 d 6 h.',
    'Check the contract was late 10 of 40 times. Improve this step first.',
  ]);
});

test('figures link to the runs that they are based on', async () => {
  open();
  const linksIn = async (role: string, name: string) => {
    const found = within(await screen.findByRole(role, { name, hidden: true })).getAllByRole('link', { hidden: true });
    return found.map((link) => {
      const [path, query] = (link.getAttribute('href') ?? '').split('?');
      const { workflow, from, to: _to, days, ...rest } = Object.fromEntries(new URLSearchParams(query));
      if (path === '/app/runs')
        expect({ workflow, days, from: `${from}`.length }).toEqual({
          workflow: 'vendor-onboarding',
          days: 'utc',
          from: 10,
        });
      return [link.textContent, path === '/app/runs' ? rest : 'elsewhere'];
    });
  };
  expect(await linksIn('region', 'Runs')).toEqual([
    ['50 runs', {}],
    ...Array.from({ length: 5 }, () => ['40 completed runs', { status: 'completed' }]),
    ['8 late runs', { status: 'completed', sla: 'breached' }],
    ['2 failed', { status: 'failed' }],
    ['3 cancelled', { status: 'cancelled' }],
  ]);
  expect(await linksIn('table', 'Steps')).toEqual([
    ['Enter vendor', 'elsewhere'],
    ['40', { figure: 'completed:enter' }],
    ['9', { figure: 'late:enter' }],
    ['3', { figure: 'returned:enter' }],
    ['2', { figure: 'handedOver:enter' }],
    ['Check the contract', 'elsewhere'],
    ['37', { figure: 'completed:check' }],
    ['10', { figure: 'late:check' }],
    ['3', { figure: 'skipped:check' }],
    ['4', { figure: 'sentBack:check' }],
    ['1', { figure: 'handedOver:check' }],
  ]);
  expect(await linksIn('list', 'Paths')).toEqual([
    ['30 runs', { figure: 'path:aa' }],
    ['10 runs', { figure: 'path:bb' }],
  ]);
  expect((await linksIn('table', 'Before and after v7')).slice(-2)).toEqual([
    ['30', { version: '6', figure: 'completed:check' }],
    ['25', { version: '7', figure: 'completed:check' }],
  ]);
  expect((await linksIn('table', 'Versions')).slice(0, 3)).toEqual([
    ['v6', 'elsewhere'],
    ['50', { version: '6' }],
    ['40', { version: '6', status: 'completed' }],
  ]);
  expect(await linksIn('table', 'SLA kept')).toEqual([['8', { status: 'completed', sla: 'breached' }]]);
});

test('the charts of times and SLAs have tables with a row for each week', async () => {
  open();
  const table = within(await screen.findByRole('table', { name: 'Time of completed runs', hidden: true }));
  const rows = table.getAllByRole('row', { hidden: true }).map(({ textContent }) => textContent);
  expect(rows.slice(0, 2)).toEqual(['Week of90 %MedianCompleted runs', '25 May 2026——0']);
  expect(rows.slice(-2)).toEqual(['16 Nov 20264 d 4 h2 d 2 h40', '23 Nov 2026——0']);
  expect(rows).toHaveLength(28);
  const sla = within(screen.getByRole('table', { name: 'SLA kept', hidden: true }));
  expect(sla.getAllByRole('row', { hidden: true }).map(({ textContent }) => textContent)).toContain('16 Nov 2026—00');
});

test('the flow picture has the steps of the chosen version', async () => {
  server
    .on('GET /api/workflows/*/insights', { json: { ...INSIGHTS, version: 6, stepsOf: 6 } })
    .on('GET /api/workflows/*/document', { json: { steps: [] } });
  open('?workflow=vendor-onboarding&version=6');
  expect(await screen.findByRole('heading', { name: 'Flow of v6' })).toBeDefined();
  expect(server.calls('GET /api/workflows/*/document').at(0)?.query.get('version')).toBe('6');
});

test('a step can be improved in a draft that has its figures in a comment', async () => {
  server
    .on('POST /api/workflows/*/drafts', { status: 201, json: { draftId: 'draft-1' } })
    .on('POST /api/workflows/*/drafts/*/comments', { status: 201, json: {} });
  const { user, router } = open();
  await user.click(await screen.findByRole('button', { name: 'Improve this step: Check the contract' }));
  await waitFor(() => expect(router.state.location.search).toContain('draftId=draft-1'));
  const [comment] = server.calls('POST /api/workflows/*/drafts/*/comments');
  expect(comment?.body).toMatchObject({ stepId: 'check' });
  expect(JSON.stringify(comment?.body)).toContain('in time: 30 of 40 (75 %)');
});

test('the figures of steps are split by person only on request', async () => {
  const person = { id: 'u1', name: 'Sam Okafor' };
  server.on('GET /api/workflows/*/insights', ({ query }) => ({
    json: query.has('people')
      ? {
          ...INSIGHTS,
          steps: [
            step('enter', 'Enter vendor', 2, {
              people: [
                { person, runs: 9, times: times(9, 1) },
                { person: null, runs: 3, times: times(3, 2) },
              ],
            }),
          ],
        }
      : INSIGHTS,
  }));
  const { user } = open('?workflow=vendor-onboarding&version=7&weeks=4');
  await user.click(await screen.findByRole('button', { name: 'Show by person' }));
  const table = within(await screen.findByRole('table', { name: 'Steps by person' }));
  expect(table.getByText('Sam Okafor')).toBeDefined();
  expect(table.getByText('People with fewer than 5 runs')).toBeDefined();
  expect(screen.getByText(/^Of all versions, from .*2026\.$/)).toBeDefined();
  const asked = server.calls('GET /api/workflows/*/insights').filter(({ query }) => query.has('people'));
  // From the figures of a shorter period or one version, those of single runs could be worked out.
  expect(asked.map(({ query }) => [...query.keys()])).toEqual([['people']]);
});

test('members without permission to manage or edit see neither figures by person nor actions', async () => {
  server.on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read'] }) });
  open();
  await screen.findByRole('table', { name: 'Steps' });
  expect(screen.queryByRole('button', { name: 'Show by person' })).toBeNull();
  expect(screen.queryByRole('button', { name: /Improve/ })).toBeNull();
});

test('deviations link to their runs, and can be filtered by kind and step', async () => {
  const { user, router } = open();
  await user.click(await screen.findByRole('button', { name: 'Deviations' }));
  const list = within(await screen.findByRole('table', { name: 'Runs that differ' }));
  expect(list.getByRole('link', { name: 'Vendor 17' }).getAttribute('href')).toBe(`/app/runs/${RUN_ID}`);
  await user.click(screen.getByRole('link', { name: 'Approved at once' }));
  await waitFor(() => expect(router.state.location.search).toContain('kind=approved_at_once&step=check'));
  await waitFor(() =>
    expect(server.calls('GET /api/workflows/*/conformance').at(-1)?.query.get('kind')).toBe('approved_at_once'),
  );
  await user.click(await screen.findByRole('button', { name: 'Show all deviations' }));
  await waitFor(() => expect(router.state.location.search).not.toContain('kind='));
});

test('a step with deviations can be improved in a draft that has them in a comment', async () => {
  server
    .on('GET /api/workflows/*/document', { json: { steps: [{ id: 'check', title: 'Check the contract', next: [] }] } })
    .on('GET /api/workflows/*/conformance', {
      json: {
        ...CONFORMANCE,
        counts: [
          ...CONFORMANCE.counts,
          { kind: 'done_long_after', stepId: 'check', title: 'Check the contract', findings: 5 },
          { kind: 'step_skipped', stepId: 'removed', title: 'removed', findings: 1 },
        ],
      },
    })
    .on('POST /api/workflows/*/drafts', { status: 201, json: { draftId: 'draft-1' } })
    .on('POST /api/workflows/*/drafts/*/comments', { status: 201, json: {} });
  const { user, router } = open('?workflow=vendor-onboarding&view=deviations');
  const button = await screen.findByRole('button', { name: 'Improve this step: Check the contract (Done long after)' });
  expect(screen.queryByRole('button', { name: /removed/ })).toBeNull();
  await user.click(button);
  await waitFor(() => expect(router.state.location.search).toContain('draftId=draft-1'));
  const [comment] = server.calls('POST /api/workflows/*/drafts/*/comments');
  expect(comment?.body).toMatchObject({ stepId: 'check' });
  const { body } = (comment?.body ?? { body: '' }) as { body: string };
  expect(body.split('\n').slice(1)).toEqual([
    '- Approved at once: 2',
    '- Done long after: 5',
    '- 45 runs ended in all',
  ]);
});

test('a filter that no deviation matches shows a message, and all deviations can be shown again', async () => {
  server.on('GET /api/workflows/*/conformance', { json: { ...CONFORMANCE, counts: [], findings: [] } });
  const { user, router } = open('?workflow=vendor-onboarding&view=deviations&step=enter');
  expect(await screen.findByRole('heading', { name: 'No such deviations' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show all deviations' }));
  await waitFor(() => expect(router.state.location.search).not.toContain('step='));
});

test('the time of finished reviews is shown by week and version, and a review links to its draft', async () => {
  const { user, router } = open();
  await user.click(await screen.findByRole('button', { name: 'Reviews' }));
  const rowsOf = (name: string) =>
    within(screen.getByRole('table', { name, hidden: true }))
      .getAllByRole('row', { hidden: true })
      .map(({ textContent }) => textContent);
  const list = within(await screen.findByRole('table', { name: 'Finished reviews' }));
  expect(screen.getByText(/^Reviews decided from /)).toBeDefined();
  expect(rowsOf('Finished reviews').slice(1)).toEqual([
    'Vendor onboardingv717 Nov 202618 Nov 2026Approved1 d 6 h',
    'Discarded draftNot live14 Nov 202616 Nov 2026Changes requested2 d 2 h',
  ]);
  expect(list.getByRole('link', { name: 'Vendor onboarding' }).getAttribute('href')).toBe(
    '/app/review?key=vendor-onboarding&id=0199aaaa-0000-7000-8000-00000000bbbb',
  );
  expect(rowsOf('Versions').slice(1)).toEqual(['v7202 h1 d 6 h', 'Not live112 d 2 h2 d 2 h']);
  expect(rowsOf('Time of finished reviews')).toContain('16 Nov 20262 d 2 h1 d 6 h3');
  await user.click(screen.getByText('Show as a table'));
  const weeks = within(screen.getByRole('table', { name: 'Time of finished reviews' }));
  await user.click(weeks.getByRole('link', { name: '3' }));
  await waitFor(() => expect(router.state.location.search).toContain('view=reviews&week=2026-11-16'));
  await waitFor(() => {
    const { query } = server.calls('GET /api/workflows/*/insights/reviews').at(-1) ?? {};
    expect([query?.get('from'), query?.get('to')]).toEqual(['2026-11-16', '2026-11-16']);
  });
  expect(screen.queryByRole('table', { name: 'Versions' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show all weeks' }));
  expect(await screen.findByRole('table', { name: 'Versions' })).toBeDefined();
});

test('reviews of drafts that didn’t go live can be listed alone, and other views show all versions', async () => {
  const { user, router } = open('?workflow=vendor-onboarding&view=reviews');
  const row = await screen.findByRole('row', { name: /^Not live 1 / });
  await user.click(within(row).getByRole('link', { name: '1' }));
  await waitFor(() => expect(router.state.location.search).toContain('version=0'));
  await waitFor(() =>
    expect(server.calls('GET /api/workflows/*/insights/reviews').at(-1)?.query.get('version')).toBe('0'),
  );
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Version' }).selectedOptions[0]?.textContent).toBe(
    'Not live',
  );
  const views = within(screen.getByRole('navigation', { name: 'Views of runs' }));
  expect(views.getByRole('link', { name: 'List' }).getAttribute('href')).not.toContain('version');
  await user.click(screen.getByRole('button', { name: 'Figures' }));
  await waitFor(() => expect(router.state.location.search).toBe('?workflow=vendor-onboarding'));
});

test('offers versions above the live one after a rollback', async () => {
  server.on('GET /api/workflows/vendor-onboarding/version-numbers', { json: { numbers: [8, 7] } });
  open('?workflow=vendor-onboarding&version=6');
  await screen.findByRole('option', { name: 'v8' });
  const versions = within(screen.getByRole('combobox', { name: 'Version' })).getAllByRole('option');
  expect(versions.map(({ textContent }) => textContent)).toEqual(['All versions', 'v8', 'v7', 'v6']);
});

test('a period without finished reviews shows a message', async () => {
  const none = { finished: 0, changesRequested: 0, p50: null, p90: null };
  server.on('GET /api/workflows/*/insights/reviews', {
    json: { ...REVIEWS, all: none, weeks: [], versions: [], reviews: [] },
  });
  open('?workflow=vendor-onboarding&view=reviews');
  expect(await screen.findByRole('heading', { name: 'No finished reviews' })).toBeDefined();
});

test('the organization’s insights show late steps, workflows, load and reviews', async () => {
  server.on('GET /api/organizations/*/users', { json: members() }).on('GET /api/groups', {
    json: [{ id: crypto.randomUUID(), slug: 'finance', name: 'Money and contracts', members: [], pendingRemovals: [] }],
  });
  open('');
  const late = within(await screen.findByRole('table', { name: 'Late now' }));
  expect(late.getByRole('link', { name: '4' }).getAttribute('href')).toBe(
    '/app/runs?workflow=vendor-onboarding&figure=lateNow%3Acheck',
  );
  expect(await late.findByText('Money and contracts')).toBeDefined();
  const workflows = within(screen.getByRole('table', { name: 'Workflows' }));
  expect(workflows.getByRole('link', { name: 'Vendor onboarding' }).getAttribute('href')).toContain(
    '/app/runs/insights',
  );
  expect(within(screen.getByRole('table', { name: 'Load by group' })).getByText('27')).toBeDefined();
  const weeks = within(screen.getByRole('table', { name: 'Load by group and week', hidden: true }));
  expect(weeks.getAllByRole('row', { hidden: true }).map(({ textContent }) => textContent)).toEqual([
    'Week ofMoney and contracts',
    '9 Nov 202612 arrived, 9 done',
    '16 Nov 202615 arrived, 14 done',
  ]);
  const reviews = within(screen.getByRole('table', { name: 'Time of finished reviews' }));
  expect(reviews.getByRole('link', { name: '3' }).getAttribute('href')).toBe(
    '/app/runs/insights?workflow=vendor-onboarding&weeks=26&view=reviews',
  );
});

test('switching between the views of runs keeps the chosen workflow', async () => {
  const { user, router } = open();
  server
    .on('GET /api/runs', { json: [] })
    .on('GET /api/runs/summary', { json: { total: 0, byStatus: {}, bySla: {} } })
    .on('GET /api/organizations/*/users', { json: [] });
  const views = within(await screen.findByRole('navigation', { name: 'Views of runs' }));
  expect(views.getByRole('link', { current: 'page' }).textContent).toBe('Insights');
  await user.click(views.getByRole('link', { name: 'List' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/runs'));
  expect(router.state.location.search).toBe('?workflow=vendor-onboarding');
  const back = within(await screen.findByRole('navigation', { name: 'Views of runs' }));
  expect(back.getByRole('link', { name: 'Insights' }).getAttribute('href')).toBe(
    '/app/runs/insights?workflow=vendor-onboarding',
  );
});

test('a failed load can be retried, and an empty period shows a message', async () => {
  server.on('GET /api/workflows/*/insights', { status: 500, json: { error: 'Broken', code: 'internal' } });
  const { user } = open();
  expect(await screen.findByRole('alert', {}, { timeout: 20_000 })).toBeDefined();
  const none = { ...INSIGHTS.runs, started: 0, completed: 0, ended: 0 };
  server.on('GET /api/workflows/*/insights', { json: { ...INSIGHTS, runs: none, load: [] } });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'No runs in this period' })).toBeDefined();
});

test('people without permission to see runs see a message', async () => {
  server.on('GET /api/auth/me', { json: aUser({ orgPermissions: [] }) });
  open();
  expect(await screen.findByRole('heading', { name: 'No access to runs' })).toBeDefined();
});
