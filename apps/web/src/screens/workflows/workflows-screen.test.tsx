import type { WorkflowSummary } from '@stet/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aDetail, aDraft, aSummary, aVersion, DRAFT_ID } from '../../features/workflow-editor/testing/workflows.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeRequest, FakeServer } from '../../testing/fake-server.ts';
import { aRun, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const named = (key: string, title: string, change: Partial<WorkflowSummary> = {}) =>
  aSummary({ key, metadata: { title, description: '' }, ...change });
const NEVER_LIVE = named('access', 'Access review', { status: 'draft', version: null, versions: [aVersion()] });
const ARCHIVED = named('po-change', 'Purchase order change', { status: 'archived' });
const ALL = [aSummary(), NEVER_LIVE, ARCHIVED];
const COUNTS = { total: 3, draft: 1, in_review: 0, live: 1, archived: 1, tags: [] as { tag: string; count: number }[] };
const OWNER = aUser({
  orgRole: 'owner',
  orgPermissions: ['workflow.read', 'draft.edit', 'run.start', 'workflow.archive', 'workflow.archive_unmerged'],
});

let server: FakeServer;
/** Filters the list by status and title. */
const listed = ({ query }: FakeRequest) => ({
  json: ALL.filter(
    ({ status, metadata }) =>
      (!query.get('status') || query.get('status') === status) &&
      metadata.title.toLowerCase().includes((query.get('q') ?? '').toLowerCase()),
  ),
});
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: OWNER })
    .on('GET /api/workflows', listed)
    .on('GET /api/workflow-counts', { json: COUNTS })
    .on('GET /api/workflows/*', { json: aDetail() })
    .on('GET /api/runs', { json: [] });
});

const open = (address = '/app/workflows') => renderApp(address, { token: aToken() });
const card = async (name: string) => within(await screen.findByRole('article', { name }));
const act = async (name: string, word: string) => (await card(name)).getByRole('button', { name: `${word} ${name}` });
const cardNames = () => screen.queryAllByRole('article').map((each) => each.getAttribute('aria-label'));

test('shows the heading, the counts, and the content of the cards', async () => {
  open();
  const text = (await screen.findByRole('article', { name: 'Vendor onboarding' })).textContent;
  for (const part of ['Live', 'vendor-onboarding', 'From first request', '3 steps', 'v7', 'Priya Nair', '18 Nov 2026'])
    expect(text).toContain(part);
  expect((await screen.findByRole('article', { name: 'Access review' })).textContent).toContain('no version yet');
  expect(screen.getByRole('heading', { level: 1, name: 'Workflow Management' })).toBeDefined();
  const counts = within(screen.getByRole('group', { name: 'Filter by status' })).getAllByRole('button');
  expect(counts.map(({ textContent }) => textContent)).toEqual([
    '3Total',
    '1Draft',
    '0In Review',
    '1Live',
    '1Archived',
  ]);
});

test('shows the tags of a workflow, and filters the list by a tag', async () => {
  server
    .on('GET /api/workflows', ({ query }) => ({
      json: query.get('tag') === 'payments' ? [aSummary({ tags: ['payments'] })] : ALL,
    }))
    .on('GET /api/workflow-counts', { json: { ...COUNTS, tags: [{ tag: 'payments', count: 1 }] } });
  const { user, router } = open();
  await card('Access review');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Tag' }), 'payments (1)');
  await waitFor(() => expect(cardNames()).toEqual(['Vendor onboarding']));
  const tags = (await card('Vendor onboarding')).getByRole('list', { name: 'Tags' });
  expect(tags.textContent).toBe('payments');
  expect(router.state.location.search).toBe('?tag=payments');
});

test('filters the list on the server by search and status, and stores both in the address', async () => {
  const { user, router } = open();
  await card('Vendor onboarding');
  await user.type(screen.getByPlaceholderText('Search title or key'), 'ORDER');
  await waitFor(() => expect(cardNames()).toEqual(['Purchase order change']));
  expect(router.state.location.search).toBe('?q=ORDER');
  await user.clear(screen.getByPlaceholderText('Search title or key'));
  await waitFor(() => expect(cardNames()).toHaveLength(3));
  await user.selectOptions(screen.getByLabelText('Status'), 'Draft');
  await waitFor(() => expect(cardNames()).toEqual(['Access review']));
  expect(screen.getByRole('button', { name: /Draft$/, pressed: true })).toBeDefined();
  await user.click(screen.getByRole('button', { name: /Total$/ }));
  await waitFor(() => expect(cardNames()).toHaveLength(3));
  expect(router.state.location.search).toBe('');
});

test('an address with a filter opens filtered and shows a message if nothing matches', async () => {
  const { user } = open('/app/workflows?status=in_review&q=zzz');
  expect(await screen.findByText('No workflows found')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Clear search and filter' }));
  await card('Vendor onboarding');
});

test('offers to create the first workflow if there are none', async () => {
  server.on('GET /api/workflows', { json: [] });
  const { user, router } = open();
  expect(await screen.findByText('No workflows yet')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Create Your First Workflow' }));
  await waitFor(() => expect(router.state.location.search).toBe('?builder=new'));
});

test('shows a message and a toast after a failure, and Retry loads again', async () => {
  server.on('GET /api/workflows', { status: 500, json: { error: 'The disk is full', code: 'internal' } });
  const { user } = open();
  expect(await screen.findByText('The disk is full')).toBeDefined();
  expect(screen.getAllByText('Failed to load workflows')).toHaveLength(2);
  server.on('GET /api/workflows', listed);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await card('Vendor onboarding');
});

test('loads a long list in pages', async () => {
  const page = (from: number) => Array.from({ length: 3 }, (_, n) => named(`w-${from + n}`, `Workflow ${from + n}`));
  server.on('GET /api/workflows', ({ query }) =>
    query.get('cursor') === 'next' ? { json: page(3) } : { json: page(0), headers: { 'x-next-cursor': 'next' } },
  );
  const { user } = open();
  await card('Workflow 0');
  expect(server.calls('GET /api/workflows')[0]?.query.get('limit')).toBe('48');
  if (cardNames().length === 3) await user.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(cardNames()).toHaveLength(6));
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test.each([
  ['viewer', ['workflow.read'], ['View']],
  ['reviewer', ['workflow.read', 'run.start'], ['View', 'Run']],
  [
    'editor',
    ['workflow.read', 'draft.edit', 'run.start', 'workflow.archive_unmerged'],
    ['View', 'Edit', 'Run', 'Duplicate', 'Delete'],
  ],
] as const)('offers a %s the actions that they have permission for', async (orgRole, orgPermissions, words) => {
  server.on('GET /api/auth/me', { json: aUser({ orgRole, orgPermissions: [...orgPermissions] }) });
  open();
  const buttons = (await card('Vendor onboarding')).getAllByRole('button');
  expect(buttons.map((each) => each.getAttribute('aria-label'))).toEqual(
    words.map((word) => `${word} Vendor onboarding`),
  );
  // If there are few actions, they have text. Otherwise they have icons.
  expect(buttons.map(({ textContent }) => textContent)).toEqual(words.map((word) => (words.length > 2 ? '' : word)));
  expect(screen.queryByRole('button', { name: 'Create Workflow' }) !== null).toBe(
    words.some((word) => word === 'Edit'),
  );
});

test('unavailable actions give the reason and do nothing', async () => {
  const { user, router } = open();
  for (const [name, word, reason] of [
    ['Access review', 'Run', /Nothing is live yet/],
    ['Purchase order change', 'Edit', /can’t be changed/],
    ['Purchase order change', 'Delete', /already archived/],
  ] as const) {
    const button = await act(name, word);
    expect(button.title).toMatch(reason);
    await user.click(button);
  }
  expect(router.state.location.search).toBe('');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('says whether the workflow will be deleted or archived and focuses Cancel', async () => {
  server.on('DELETE /api/workflows/*', { json: { message: 'Workflow deleted', outcome: 'deleted' } });
  const { user } = open();
  await user.click(await act('Vendor onboarding', 'Delete'));
  const archive = within(await screen.findByRole('dialog', { name: 'Delete Vendor onboarding?' }));
  expect(archive.getByText(/it will be archived/).textContent).toContain('This action cannot be undone.');
  await user.click(archive.getByRole('button', { name: 'Cancel' }));
  expect(server.calls('DELETE /api/workflows/*')).toHaveLength(0);

  await user.click(await act('Access review', 'Delete'));
  const remove = within(await screen.findByRole('dialog', { name: 'Delete Access review?' }));
  expect(remove.getByText(/deleted with its drafts/)).toBeDefined();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
  await user.click(remove.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Workflow Deleted')).toBeDefined();
  expect(server.calls('DELETE /api/workflows/*')[0]?.path).toBe('/api/workflows/access');
});

test('a refused deletion keeps its dialog open and shows the reason', async () => {
  server.on('DELETE /api/workflows/*', { status: 500, json: { error: '', code: 'internal' } });
  const { user } = open();
  await user.click(await act('Access review', 'Delete'));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to delete workflow');
});

test('asks for a reason if the server reports an open review', async () => {
  server.on('DELETE /api/workflows/*', ({ body }) =>
    body === undefined
      ? { status: 400, json: { error: 'Please give a reason', code: 'reason_required' } }
      : { json: { message: 'Workflow deleted', outcome: 'deleted' } },
  );
  const { user } = open();
  await user.click(await act('Access review', 'Delete'));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await user.type(await screen.findByLabelText('Reason'), 'Never used');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Workflow Deleted')).toBeDefined();
  expect(server.calls('DELETE /api/workflows/*').map(({ body }) => body)).toEqual([
    undefined,
    { reason: 'Never used' },
  ]);
});

test('starts a run from a card', async () => {
  server.on('POST /api/runs', { status: 201, json: aRun() }).on('GET /api/runs/*', { json: aRun() });
  const { user, router } = open();
  await user.click(await act('Vendor onboarding', 'Run'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Start Workflow Run' }));
  await user.click(dialog.getByRole('button', { name: 'Start Run' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/app/runs/${aRun().id}`));
});

test('Edit opens the open draft; Close returns to the card', async () => {
  server.on('GET /api/workflows/*/drafts/*', { json: aDraft() });
  const { user, router } = open('/app/workflows?status=draft');
  await user.click(await act('Access review', 'Edit'));
  await waitFor(() => expect(router.state.location.search).toBe(`?builder=edit&key=access&draftId=${DRAFT_ID}`));
  const [close] = await screen.findAllByRole('button', { name: 'Close' });
  await user.click(close ?? document.body);
  await waitFor(() => expect(router.state.location.search).toBe('?status=draft'));
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Edit Access review'));
});

test('requests no workflows without an organization', async () => {
  server.on('GET /api/auth/me', { json: aUser({ currentOrgId: null }) });
  open();
  expect(await screen.findByText('No organization selected')).toBeDefined();
  expect(server.calls('GET /api/workflows')).toHaveLength(0);
});
