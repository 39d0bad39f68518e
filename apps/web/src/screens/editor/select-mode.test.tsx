import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aDetail, aSummary, aVersion, DRAFT_ID } from '../../features/workflow-editor/testing/workflows.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aPersonalUser, aRun, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const WITH_DRAFT = aSummary({ versions: [aVersion(), ...aSummary().versions] });
const NEVER_LIVE = aSummary({
  key: 'access-review',
  metadata: { title: '', description: 'Managers confirm each right.' },
  status: 'draft',
  version: null,
  versions: [aVersion()],
});

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/workflows', { json: [WITH_DRAFT, NEVER_LIVE] })
    .on('GET /api/workflows/*', { json: aDetail() })
    .on('GET /api/runs', { json: [] });
});

const openEditor = (address = '/app/editor') => renderApp(address, { token: aToken() });
const card = async (name: string) => within(await screen.findByRole('listitem', { name }));
const search = () => screen.getByPlaceholderText('Search workflows by name, title, or description...');
const textsOf = async (name: string) => (await screen.findByRole('listitem', { name })).textContent ?? '';

test('shows each workflow’s title or key, version, draft, description, date and creator', async () => {
  openEditor();
  const text = await textsOf('Vendor onboarding');
  for (const part of [
    'v7',
    'Draft',
    'From first request',
    'vendor-onboarding',
    'Last updated 18 Nov 2026',
    'Priya Nair',
  ]) {
    expect(text).toContain(part);
  }
  expect(await textsOf('access-review')).not.toMatch(/v\d/);
  expect(screen.getByRole('heading', { name: 'Workflow Editor' })).toBeDefined();
  expect(screen.getByText('Select a workflow to edit or create a new one')).toBeDefined();
});

test('Create New shows the five templates with their steps', async () => {
  const { user } = openEditor();
  const create = await screen.findByRole('button', { name: 'Create New' });
  await user.click(create);
  expect(create.getAttribute('aria-expanded')).toBe('true');
  const templates = within(screen.getByRole('region', { name: 'Start from a template' }));
  expect(templates.getAllByRole('link')).toHaveLength(5);
  const project = templates.getByRole('link', { name: /Project/ }).textContent;
  expect(project).toMatch(
    /Initial Review.*Technical Analysis.*Design Review.*Implementation.*Quality Assurance.*Final Approval/,
  );
  await user.click(create);
  expect(screen.queryByText('Start from a template')).toBeNull();
});

test('filters the list by the search text and shows a message if nothing matches', async () => {
  const { user } = openEditor();
  await card('Vendor onboarding');
  await user.type(search(), 'RIGHT');
  expect(screen.queryByRole('listitem', { name: 'Vendor onboarding' })).toBeNull();
  expect(screen.getByRole('listitem', { name: 'access-review' })).toBeDefined();
  await user.type(search(), 'zzz');
  expect(screen.getByText('No workflows found - Try adjusting your search terms')).toBeDefined();
});

test('filters the list by a tag, and the search also finds tags', async () => {
  server.on('GET /api/workflows', {
    json: [
      { ...WITH_DRAFT, tags: ['payments', 'eu'] },
      { ...NEVER_LIVE, tags: ['eu'] },
    ],
  });
  const { user } = openEditor();
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Tag' }), 'payments (1)');
  expect(screen.queryByRole('listitem', { name: 'access-review' })).toBeNull();
  expect(screen.getByRole('listitem', { name: 'Vendor onboarding' })).toBeDefined();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Tag' }), 'eu (2)');
  await user.type(search(), 'payM');
  expect(screen.getByRole('listitem', { name: 'Vendor onboarding' })).toBeDefined();
  expect(screen.queryByRole('listitem', { name: 'access-review' })).toBeNull();
});

test('arrow keys move the highlight; Enter opens the highlighted workflow’s draft', async () => {
  const { user, router } = openEditor();
  await card('Vendor onboarding');
  await user.click(search());
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
  expect(screen.getByRole('listitem', { name: 'Vendor onboarding' }).getAttribute('aria-current')).toBe('true');
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(router.state.location.search).toBe(`?key=vendor-onboarding&mode=edit&draftId=${DRAFT_ID}`),
  );
});

test('suggests one action if there are no workflows', async () => {
  server.on('GET /api/workflows', { json: [] });
  const { user } = openEditor();
  expect(await screen.findByText('No workflows yet')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Create Workflow' }));
  expect(screen.getByText('Start from a template')).toBeDefined();
});

test('shows a message after a failure and loads again on Try Again', async () => {
  server.on('GET /api/workflows', { status: 500, json: { error: '', code: 'internal' } });
  const { user } = openEditor();
  expect(await screen.findByText('Failed to load workflows')).toBeDefined();
  server.on('GET /api/workflows', { json: [WITH_DRAFT] });
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('listitem', { name: 'Vendor onboarding' })).toBeDefined();
});

test('shows a loading message', async () => {
  server.on('GET /api/workflows', () => new Promise(() => {}));
  openEditor();
  expect((await screen.findAllByText('Loading workflows...')).length).toBeGreaterThan(0);
});

test('asks for an organization if none is selected', async () => {
  server.on('GET /api/auth/me', { json: aUser({ currentOrgId: null }) });
  openEditor();
  expect(await screen.findByText('Please select an organization to continue')).toBeDefined();
  expect(server.calls('GET /api/workflows')).toHaveLength(0);
});

test('hides actions that the person has no permission for', async () => {
  server.on('GET /api/auth/me', { json: aUser({ orgRole: 'viewer', orgPermissions: ['workflow.read'] }) });
  openEditor();
  const vendor = await card('Vendor onboarding');
  expect(vendor.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['View']);
  expect(screen.queryByRole('button', { name: 'Create New' })).toBeNull();
});

test('Duplicate opens an unsaved copy', async () => {
  const { user, router } = openEditor();
  await user.click((await card('Vendor onboarding')).getByRole('button', { name: 'Duplicate' }));
  await waitFor(() => expect(router.state.location.search).toBe('?key=new&mode=edit&duplicate=vendor-onboarding'));
  const name = await screen.findByLabelText<HTMLTextAreaElement>('Workflow Name');
  expect(name.value).toBe('Vendor onboarding (Copy)');
  expect(screen.getByText(/^vendor-onboarding-copy-\d+$/)).toBeDefined();
  expect(screen.getByText('Unsaved changes')).toBeDefined();
});

test('asks before leaving an unsaved copy, even if it equals its original', async () => {
  server.on('GET /api/workflows/*', { json: aDetail() });
  const { user } = renderApp('/app/editor?key=new&mode=edit&duplicate=vendor-onboarding', { token: aToken() });
  const title = await screen.findByRole('textbox', { name: 'Workflow Name' });
  await user.clear(title);
  await user.type(title, 'Vendor onboarding');
  const [view] = screen.getAllByRole('button', { name: 'View Changes' });
  if (!view) throw new Error('no View Changes');
  await user.click(view);
  expect(await screen.findByText('No Changes - The workflow is identical to the original version.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  const [back] = screen.getAllByRole('button', { name: 'Back' });
  if (!back) throw new Error('no Back');
  await user.click(back);
  expect(await screen.findByText('You have unsaved changes. Are you sure you want to go back?')).toBeDefined();
});

test('says why a missing workflow can’t be duplicated', async () => {
  server.on('GET /api/workflows/*', { status: 404, json: { error: 'Not found', code: 'not_found' } });
  const { user } = openEditor();
  await user.click((await card('Vendor onboarding')).getByRole('button', { name: 'Duplicate' }));
  const toasts = within(screen.getByRole('region', { name: 'Notifications' }));
  const alert = await toasts.findByRole('alert');
  expect(alert.textContent).toBe('Duplication FailedFailed to duplicate workflow: Source workflow not found');
  expect(screen.getByText(': Failed to duplicate workflow: Source workflow not found'), 'in the page').toBeDefined();
});

test('Run asks for a name, then starts the run and opens it', async () => {
  server.on('POST /api/runs', { status: 201, json: aRun() }).on('GET /api/runs/*', { json: aRun() });
  const { user, router } = openEditor();
  const neverLive = (await card('access-review')).getByRole('button', { name: 'Run' });
  expect(neverLive.getAttribute('aria-disabled')).toBe('true');
  await user.click((await card('Vendor onboarding')).getByRole('button', { name: 'Run' }));
  const name = await screen.findByLabelText('Run Name');
  expect(server.calls('POST /api/runs')).toHaveLength(0);
  await waitFor(() => expect(document.activeElement).toBe(name));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe(`/app/workflows/run/vendor-onboarding/${aRun().id}`));
  expect(server.calls('POST /api/runs')[0]?.body).toMatchObject({ key: 'vendor-onboarding', priority: 'medium' });
});

test('a checklist shows a new organization its first step, and can be hidden', async () => {
  server
    .on('GET /api/auth/me', { json: aPersonalUser() })
    .on('GET /api/workflows', { json: [] })
    .on('GET /api/runs/summary', { json: { total: 0, byStatus: {} } });
  const { user } = openEditor();
  const steps = within(await screen.findByRole('region', { name: 'Get started' }));
  const current = () => steps.getAllByRole('listitem').find((item) => item.getAttribute('aria-current') === 'step');
  expect(steps.getByText('0 of 3 done')).toBeDefined();
  expect(current()?.textContent).toContain('Write a workflow');
  await user.click(steps.getByRole('button', { name: 'Choose a template' }));
  expect(screen.getByText('Start from a template')).toBeDefined();

  await user.click(steps.getByRole('button', { name: 'Hide' }));
  expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
});

test('the checklist follows the organization’s state and isn’t shown after its first run', async () => {
  server
    .on('GET /api/auth/me', { json: aPersonalUser() })
    .on('GET /api/workflows', { json: [NEVER_LIVE] })
    .on('GET /api/runs/summary', { json: { total: 0, byStatus: {} } });
  const first = openEditor();
  const steps = within(await screen.findByRole('region', { name: 'Get started' }));
  expect(steps.getByRole('link', { name: 'Open the draft' }).getAttribute('href')).toBe(
    `/app/editor?key=access-review&mode=edit&draftId=${DRAFT_ID}`,
  );
  first.unmount();

  server.on('GET /api/workflows', { json: [WITH_DRAFT] });
  const second = openEditor();
  expect((await screen.findByRole('link', { name: 'Start a run' })).getAttribute('href')).toBe(
    '/app/workflows/run/vendor-onboarding',
  );
  second.unmount();

  server.on('GET /api/runs/summary', { json: { total: 1, byStatus: {} } });
  const calls = server.calls('GET /api/runs/summary').length;
  openEditor();
  await card('Vendor onboarding');
  await waitFor(() => expect(server.calls('GET /api/runs/summary').length).toBeGreaterThan(calls));
  // Until the response is processed, an indicator takes the place of the checklist.
  await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading the first steps' })).toBeNull());
  expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
});

test('people who can’t write workflows don’t see the checklist', async () => {
  server
    .on('GET /api/auth/me', { json: aUser({ orgRole: 'viewer', orgPermissions: ['workflow.read'] }) })
    .on('GET /api/workflows', { json: [] });
  openEditor();
  expect(await screen.findByText('No workflows yet')).toBeDefined();
  expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
  expect(server.calls('GET /api/runs/summary')).toHaveLength(0);
});
