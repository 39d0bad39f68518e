import type { FoundWorkflow, VersionRecord, WorkflowDetail } from '@stet/contract';
import { newStep } from '@stet/domain/workflows';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ME = aUser();
const SAM = { id: '0199aaaa-0000-7000-8000-000000000002', name: 'Sam Okafor', email: 'sam@haldenworks.example' };
const PRIYA = { id: ME.id, name: ME.name, email: ME.email };
const DRAFTS = 'POST /api/workflows/*/drafts';
const ROLLBACK = 'POST /api/workflows/*/versions/*/rollback';

const version = (change: Partial<VersionRecord>): VersionRecord => ({
  id: `0199eeee-0000-7000-8000-00000000000${change.version ?? 0}`,
  status: 'superseded',
  version: null,
  label: change.version ? `v${change.version}` : 'Draft',
  revision: 1,
  contentHash: 'ab',
  createdAt: '2026-10-02T14:12:00.000Z',
  updatedAt: '2026-10-02T14:12:00.000Z',
  createdBy: SAM,
  stepsCount: 7,
  approvalsCount: 1,
  commentsCount: 0,
  ...change,
});
const DRAFT = version({ id: '8f31c2d0-0000-7000-8000-000000000001', status: 'in_review' });
const ALL = [DRAFT, version({ version: 7, status: 'live' }), version({ version: 6 }), version({ version: 5 })];

const workflow = (change: Partial<FoundWorkflow> = {}): FoundWorkflow => ({
  key: 'vendor-onboarding',
  metadata: { title: 'Vendor onboarding', description: 'For every vendor.' },
  status: 'live',
  version: { number: 7, id: '0199eeee-0000-7000-8000-000000000007' },
  versions: ALL.slice(0, 2),
  stepsCount: 7,
  owner: PRIYA,
  creator: PRIYA,
  updatedAt: '2026-11-18T09:00:00.000Z',
  hits: [],
  ...change,
});
const other = workflow({
  key: 'expense-approval',
  metadata: { title: 'Expense approval', description: '' },
  version: null,
  versions: [version({ status: 'draft' })],
  status: 'draft',
});
const detail = ({ hits: _hits, ...summary }: FoundWorkflow): WorkflowDetail => ({
  ...summary,
  steps: Array.from({ length: 7 }, (_step, n) => ({ ...newStep(`s${n}`), title: `Part ${n + 1}`, sla: '4 hours' })),
  draftId: null,
  revision: 1,
});

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser({ orgPermissions: [...ME.orgPermissions, 'draft.merge'] }) })
    .on('GET /api/workflow-search', { json: [workflow(), other] })
    .on('GET /api/workflows/*', { json: detail(workflow()) })
    .on('GET /api/workflows/expense-approval', { json: detail(other) })
    .on('GET /api/workflows/*/versions', { json: ALL })
    .on(DRAFTS, { status: 201, json: { draftId: DRAFT.id, revision: 1 } });
});

const open = (address = '/app/docs') => renderApp(address, { token: aToken() });
const row = (name: RegExp) => screen.findByRole('row', { name });
const panelOf = async (name = 'Vendor onboarding') => within(await screen.findByRole('complementary', { name }));

describe('the list', () => {
  test('has a row for each workflow, under the columns and crumbs that are named', async () => {
    open();
    const cells = within(await row(/Vendor onboarding/));
    for (const text of ['vendor-onboarding', 'v7', '7', 'Live', 'In Review', 'Priya Nair'])
      expect(cells.getByText(text)).toBeDefined();
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Workflow',
      'Live Version',
      '# Steps',
      'Status',
      'Owner',
      'Updated',
      'Actions',
    ]);
    expect(within(await row(/Expense approval/)).getByText('none')).toBeDefined();
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }));
    expect(crumbs.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/app');
    expect(crumbs.getByText('Documentation')).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Workflows' })).toBeDefined();
  });

  test('is narrowed by the server, as the address says', async () => {
    const { user, router } = open('/app/docs?q=tax');
    expect(screen.queryByRole('option', { name: 'Archived' })).toBeNull();
    const status = await screen.findByRole('combobox', { name: 'Status' });
    expect([...status.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
      'All',
      'Live',
      'Draft',
      'In Review',
    ]);
    await user.selectOptions(status, 'In Review');
    await waitFor(() =>
      expect(Object.fromEntries(server.calls('GET /api/workflow-search').at(-1)?.query ?? [])).toEqual({
        status: 'in_review',
        q: 'tax',
      }),
    );
    const search = screen.getByPlaceholderText('Search name or key');
    await user.clear(search);
    await user.type(search, 'form');
    await waitFor(() => expect(router.state.location.search).toBe('?status=in_review&q=form'));
  });

  test('says where a search found something, and leads there', async () => {
    server.on('GET /api/workflow-search', {
      json: [
        workflow({
          hits: [
            {
              in: 'title',
              text: [
                { text: 'Vendor', hit: true },
                { text: ' onboarding', hit: false },
              ],
            },
            {
              in: 'step',
              stepId: 's1',
              number: 2,
              title: [{ text: 'Part 2', hit: false }],
              text: [
                { text: 'the ', hit: false },
                { text: 'vendor', hit: true },
              ],
              version: 'v7',
            },
          ],
        }),
      ],
    });
    open('/app/docs?q=vendor');
    const link = await screen.findByRole('link', { name: 'Step 2 Part 2' });
    expect(link.getAttribute('href')).toBe('/app/docs/vendor-onboarding#step-2');
    expect(screen.getAllByText('vendor', { selector: 'mark' })).toHaveLength(1);
    expect(screen.getByText('Vendor', { selector: 'mark' })).toBeDefined();
  });

  test('loads, is empty, and fails in its own words', async () => {
    let answer: (value: { json: FoundWorkflow[] }) => void = () => undefined;
    server.on('GET /api/workflow-search', () => new Promise((resolve) => (answer = resolve)));
    const first = open();
    expect(await screen.findByText('Loading workflows...')).toBeDefined();
    answer({ json: [] });
    expect(await screen.findByText('No workflows')).toBeDefined();
    first.unmount();

    server.on('GET /api/workflow-search', { status: 500, json: { error: '', code: 'internal' } });
    const { user } = open();
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getByRole('heading', { name: 'Failed to load workflows' })).toBeDefined();
    server.on('GET /api/workflow-search', { json: [workflow()] });
    await user.click(again);
    expect(await row(/Vendor onboarding/)).toBeDefined();
  });

  test('goes on by the cursor of the last page', async () => {
    server.on('GET /api/workflow-search', ({ query }) =>
      query.get('cursor') === 'next'
        ? { json: [workflow(), other] }
        : { json: [workflow()], headers: { 'x-next-cursor': 'next' } },
    );
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Load more' }));
    expect(await row(/Expense approval/)).toBeDefined();
    expect(screen.getAllByRole('row', { name: /Vendor onboarding/ })).toHaveLength(1);
  });
});

describe('the panel', () => {
  test('opens by View, and shows state, five steps and every version', async () => {
    const { user, router } = open();
    await user.click(within(await row(/Vendor onboarding/)).getByRole('button', { name: 'View Vendor onboarding' }));
    expect(router.state.location.search).toBe('?key=vendor-onboarding');
    const panel = await panelOf();
    expect(panel.getByText('first 5 of 7 steps')).toBeDefined();
    expect(panel.getByText('Part 5')).toBeDefined();
    expect(panel.queryByText('Part 6')).toBeNull();
    const review = await panel.findByRole('link', { name: 'Open review of draft 00000001' });
    expect(review.getAttribute('href')).toBe(`/app/review?key=vendor-onboarding&id=${DRAFT.id}`);
    expect(panel.getAllByRole('link', { name: /Open review/ })).toHaveLength(1);
    expect(panel.getAllByRole('button', { name: /^Rollback/ })).toHaveLength(4);
    for (const [name, why] of [
      ['Rollback to draft 00000001', 'Only a version that was live can be rolled back to'],
      ['Rollback to v7', 'This version is live already'],
    ] as const) {
      const button = panel.getByRole('button', { name });
      expect(button.getAttribute('aria-disabled')).toBe('true');
      expect(button.title).toBe(why);
    }
    expect(panel.getByRole('link', { name: 'Compare v6 with v5' }).getAttribute('href')).toBe(
      '/app/compare?key=vendor-onboarding&from=5&to=6',
    );
  });

  test('follows the arrows, and Escape closes it; Enter opens the document', async () => {
    const { user, router } = open('/app/docs?key=vendor-onboarding');
    await panelOf();
    (await row(/Vendor onboarding/)).focus();
    await user.keyboard('{ArrowDown}');
    await panelOf('Expense approval');
    expect(router.state.location.search).toBe('?key=expense-approval');
    expect((await row(/Expense approval/)).getAttribute('aria-selected')).toBe('true');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary')).toBeNull();
    expect(router.state.location.search).toBe('');
    await user.keyboard('{Enter}');
    await panelOf('Expense approval');
    server.on('GET /api/workflows/*/document', {
      status: 404,
      json: { error: 'There is no such workflow', code: 'not_found' },
    });
    await user.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/docs/expense-approval'));
  });

  test('says so where the address names a workflow that is not there', async () => {
    server.on('GET /api/workflows/gone', {
      status: 404,
      json: { error: 'There is no such workflow', code: 'not_found' },
    });
    open('/app/docs?key=gone');
    const alert = await (await panelOf('gone')).findByRole('alert');
    expect(alert.textContent).toContain('There is no such workflow');
  });
});

describe('changing a workflow', () => {
  test('Change in editor makes a draft for changes and opens it', async () => {
    const { user, router } = open('/app/docs?key=vendor-onboarding');
    await user.click(await (await panelOf()).findByRole('button', { name: 'Change in editor' }));
    expect(await screen.findByText('Draft created. Opening editor...')).toBeDefined();
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
    expect(router.state.location.search).toContain(`key=vendor-onboarding&draftId=${DRAFT.id}`);
    expect(server.calls(DRAFTS)[0]?.body).toMatchObject({
      key: 'vendor-onboarding',
      metadata: { title: 'Vendor onboarding', description: 'For every vendor. (copy for changes)' },
    });
  });

  test('Create new version makes a draft of what is live, as it is', async () => {
    const { user, router } = open();
    await user.click(within(await row(/Vendor onboarding/)).getByRole('button', { name: 'Create new version' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
    expect(server.calls(DRAFTS)[0]?.body).toMatchObject({ metadata: { description: 'For every vendor.' } });
  });

  test('Create new version goes on with one’s own open draft where there is one', async () => {
    const own = version({ id: '8f31c2d0-0000-7000-8000-000000000002', status: 'draft', createdBy: PRIYA });
    server.on('GET /api/workflows/*', { json: detail(workflow({ versions: [own, ...ALL.slice(0, 2)] })) });
    const { user, router } = open();
    await user.click(within(await row(/Vendor onboarding/)).getByRole('button', { name: 'Create new version' }));
    await waitFor(() => expect(router.state.location.search).toContain(`draftId=${own.id}`));
    expect(server.calls(DRAFTS)).toHaveLength(0);
  });

  test('a draft that can’t be made is told of, and one stays', async () => {
    server.on(DRAFTS, { status: 409, json: { error: 'This workflow is archived', code: 'workflow_archived' } });
    const { user, router } = open('/app/docs?key=vendor-onboarding');
    await user.click(await (await panelOf()).findByRole('button', { name: 'Change in editor' }));
    expect(await screen.findByText('Failed to create draft')).toBeDefined();
    expect(screen.getByText('This workflow is archived')).toBeDefined();
    expect(router.state.location.pathname).toBe('/app/docs');
  });

  test('those who may not edit are offered none of it', async () => {
    server.on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read'] }) });
    open('/app/docs?key=vendor-onboarding');
    const panel = await panelOf();
    await panel.findByRole('link', { name: /Open review/ });
    expect(screen.queryByRole('button', { name: /Change in editor|Create new version|Duplicate|^Run$/ })).toBeNull();
    expect(panel.queryByRole('button', { name: /Rollback/ })).toBeNull();
  });
});

describe('rolling back', () => {
  test('asks in words, takes the reason along, and the list is asked anew', async () => {
    server.on(ROLLBACK, { json: { version: version({ version: 6, status: 'live' }) } });
    const { user } = open('/app/docs?key=vendor-onboarding');
    await user.click(await (await panelOf()).findByRole('button', { name: 'Rollback to v6' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(
      dialog.getByText('Rollback Vendor onboarding to version 6? This will replace the current live version.'),
    ).toBeDefined();
    await user.type(dialog.getByLabelText('Reason'), ' v7 lost a check ');
    const before = server.calls('GET /api/workflow-search').length;
    await user.click(dialog.getByRole('button', { name: 'Rollback' }));
    expect(await screen.findByText('Rolled back')).toBeDefined();
    expect(server.calls(ROLLBACK)[0]).toMatchObject({
      path: '/api/workflows/vendor-onboarding/versions/6/rollback',
      body: { reason: 'v7 lost a check' },
    });
    await waitFor(() => expect(server.calls('GET /api/workflow-search').length).toBeGreaterThan(before));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('that is refused stays open and says why', async () => {
    server.on(ROLLBACK, { status: 409, json: { error: 'Version 6 is live already', code: 'already_live' } });
    const { user } = open('/app/docs?key=vendor-onboarding');
    await user.click(await (await panelOf()).findByRole('button', { name: 'Rollback to v6' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rollback' }));
    expect(await screen.findByText('Rollback failed')).toBeDefined();
    expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).toContain('Version 6 is live already');
  });
});
