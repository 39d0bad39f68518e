import type { VersionRecord, WorkflowSummary } from '@stet/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aRunSummary, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ME = aUser();
const PRIYA = { id: ME.id, name: ME.name, email: ME.email };
const DRAFT: VersionRecord = {
  id: '8f31c2d0-0000-7000-8000-000000000001',
  status: 'draft',
  version: null,
  label: 'Draft',
  revision: 1,
  contentHash: 'ab',
  createdAt: '2026-10-02T14:12:00.000Z',
  updatedAt: '2026-10-02T14:12:00.000Z',
  createdBy: PRIYA,
  stepsCount: 3,
  approvalsCount: 0,
  commentsCount: 0,
};
const LIVE: VersionRecord = {
  ...DRAFT,
  id: '0199eeee-0000-7000-8000-000000000001',
  status: 'live',
  version: 1,
  label: 'v1',
};
const FLOW: WorkflowSummary = {
  key: 'flow',
  metadata: { title: 'Flow', description: '' },
  status: 'live',
  version: { number: 1, id: LIVE.id },
  versions: [DRAFT, LIVE],
  stepsCount: 3,
  owner: PRIYA,
  creator: PRIYA,
  updatedAt: '2026-10-02T14:12:00.000Z',
};
const EDITOR = aUser({
  role: 'editor',
  orgRole: 'owner',
  orgPermissions: ['workflow.read', 'draft.edit', 'draft.merge', 'run.start', 'step.act_any'],
});
const REVIEWER = aUser({
  role: 'reviewer',
  orgRole: 'reviewer',
  orgPermissions: ['workflow.read', 'draft.merge', 'draft.review', 'draft.comment'],
});
const refusal = (error: string, status = 409) => ({ status, json: { error, code: 'refused' } });

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: EDITOR })
    .on('GET /api/workflows', { json: [FLOW] })
    .on('GET /api/runs', { json: [aRunSummary()] });
});

async function open() {
  const app = renderApp('/app/legacy-workflows', { token: aToken() });
  await screen.findByRole('heading', { name: 'Flow' });
  return app;
}
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const box = (name: string) => within(screen.getByRole('region', { name }));

describe('the account box', () => {
  test('stands also for those who are signed in, and logs somebody else in', async () => {
    const { user } = await open();
    const account = box('Account');
    expect(account.getByText('Signed in as Priya Nair (owner)')).toBeDefined();
    expect([...account.getByLabelText('Role').querySelectorAll('option')].map(({ value }) => value)).toEqual([
      'editor',
      'reviewer',
      'viewer',
    ]);
    server.on('POST /api/auth/login', refusal('The email or the password is not right', 401));
    await user.type(account.getByLabelText('Email'), 'sam@haldenworks.example');
    await user.type(account.getByLabelText('Password'), 'secret');
    await user.click(account.getByRole('button', { name: 'Log in' }));
    expect((await account.findByRole('alert')).textContent).toBe('The email or the password is not right');

    server
      .on('POST /api/auth/login', {
        json: { token: aToken({ sub: 'sam', email: 'sam@haldenworks.example' }), user: EDITOR },
      })
      .on('GET /api/auth/me', { json: aUser({ name: 'Sam Okafor' }) });
    await user.click(account.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByText('Signed in as Sam Okafor (editor)')).toBeDefined();
  });

  test('signs up with the role that was picked', async () => {
    const { user } = await open();
    const account = box('Account');
    server.on('POST /api/auth/signup', refusal('An account with this email exists already'));
    await user.type(account.getByLabelText('Email'), 'new@x.example');
    await user.type(account.getByLabelText('Name'), 'New Here');
    await user.selectOptions(account.getByLabelText('Role'), 'reviewer');
    await user.type(account.getByLabelText('Password'), 'secret');
    await user.click(account.getByRole('button', { name: 'Sign up' }));
    expect((await account.findByRole('alert')).textContent).toBe('An account with this email exists already');
    expect(server.calls('POST /api/auth/signup')[0]?.body).toEqual({
      email: 'new@x.example',
      name: 'New Here',
      role: 'reviewer',
      password: 'secret',
    });
  });
});

describe('drafts', () => {
  test('a sample one is made by editors alone', async () => {
    server.on('POST /api/workflows/*/drafts', refusal('No'));
    const { user, unmount } = await open();
    await user.click(button('Create sample draft'));
    expect(await box('Workflows').findByText('Failed to create draft')).toBeDefined();
    expect(server.calls('POST /api/workflows/*/drafts')[0]?.body).toMatchObject({
      metadata: { title: 'Sample workflow' },
    });
    unmount();
    server.on('GET /api/auth/me', { json: REVIEWER });
    await open();
    expect(button('Create sample draft').getAttribute('aria-disabled')).toBe('true');
  });

  test('are merged by reviewers alone; without one open there are No drafts to merge', async () => {
    const editors = await open();
    expect(button('Merge of draft 00000001').getAttribute('aria-disabled')).toBe('true');
    expect(button('Merge first draft of Flow').getAttribute('aria-disabled')).toBe('true');
    editors.unmount();

    server.on('GET /api/auth/me', { json: REVIEWER }).on('GET /api/workflows/*/versions', { json: [LIVE] });
    const { user } = await open();
    await user.click(button('Merge first draft of Flow'));
    expect(await screen.findByText('No drafts to merge')).toBeDefined();

    server
      .on('GET /api/workflows/*/versions', { json: [{ ...DRAFT, id: 'newer' }, DRAFT, LIVE] })
      .on('POST /api/workflows/*/drafts/*/merge', { json: { version: LIVE } });
    await user.click(button('Merge first draft of Flow'));
    expect(await screen.findByText('Merged')).toBeDefined();
    expect(server.calls('POST /api/workflows/*/drafts/*/merge')[0]?.path).toContain(DRAFT.id);
    server.on('POST /api/workflows/*/drafts/*/merge', refusal('This draft needs more approvals'));
    await user.click(button('Merge of draft 00000001'));
    expect(await screen.findByText('This draft needs more approvals')).toBeDefined();
  });

  test('are approved and commented on, with words that stand there already', async () => {
    server
      .on('POST /api/workflows/*/drafts/*/approve', { json: DRAFT })
      .on('POST /api/workflows/*/drafts/*/comments', { status: 201, json: {} });
    server.on('GET /api/auth/me', { json: REVIEWER });
    const { user } = await open();
    await user.click(button('Approve of draft 00000001'));
    expect(await screen.findByText('Approved')).toBeDefined();
    await user.click(button('Comment of draft 00000001'));
    await waitFor(() =>
      expect(server.calls('POST /api/workflows/*/drafts/*/comments')[0]?.body).toEqual({ body: 'Looks good to me.' }),
    );
  });

  test('are approved by those alone who may, and nothing is done to those of an archived workflow', async () => {
    const why = (name: string) => button(name).getAttribute('title');
    const editors = await open();
    expect(why('Approve of draft 00000001')).toBe('Drafts are approved by reviewers');
    editors.unmount();

    server.on('GET /api/auth/me', { json: REVIEWER }).on('GET /api/workflows/*/drafts/*', {
      json: { ...DRAFT, abilities: { approve: false }, contributors: [{ ...PRIYA, saves: 1 }] },
    });
    const own = await open();
    await waitFor(() =>
      expect(why('Approve of draft 00000001')).toBe('You contributed to this draft, so someone else has to review it'),
    );
    own.unmount();

    server.on('GET /api/workflows', { json: [{ ...FLOW, status: 'archived' }] });
    await open();
    for (const act of ['Approve', 'Merge', 'Comment'])
      expect(why(`${act} of draft 00000001`)).toBe('This workflow is archived');
    expect(server.calls('POST /api/workflows/*/drafts/*/approve')).toEqual([]);
  });

  test('show five changes, and how many more', async () => {
    const ids = Array.from({ length: 9 }, (_, n) => `step-${n + 1}`);
    server.on('GET /api/workflows/*/drafts/*/diff', {
      json: {
        summary: { added: ids, removed: [], modified: [] },
        total: 9,
        detailed: ids.map((id) => ({ id, type: 'added', value: {} })),
        metadata: {},
      },
    });
    const { user } = await open();
    await user.click(button('Diff of draft 00000001'));
    expect(await screen.findByText('9 added, 0 removed, 0 modified')).toBeDefined();
    expect(screen.getByText('step-5')).toBeDefined();
    expect(screen.queryByText('step-6')).toBeNull();
    expect(screen.getByText('and 4 more')).toBeDefined();
  });
});

describe('runs', () => {
  test('are started and their first step completed', async () => {
    server
      .on('POST /api/runs', { status: 201, json: { id: 'r' } })
      .on('POST /api/runs/*/complete', refusal('This run is paused'));
    const { user } = await open();
    await user.click(button('Start run'));
    await waitFor(() =>
      expect(server.calls('POST /api/runs')[0]?.body).toMatchObject({ key: 'flow', priority: 'medium' }),
    );
    await user.click(button('Complete first step of Nordlicht GmbH'));
    expect(await screen.findByText('This run is paused')).toBeDefined();
    expect(server.calls('POST /api/runs/*/complete')[0]?.body).toMatchObject({ stepId: 'assess' });
  });

  test('are not offered to who may neither start them nor act on any step', async () => {
    server.on('GET /api/auth/me', { json: { ...EDITOR, orgRole: 'viewer', orgPermissions: ['workflow.read'] } });
    const { user } = await open();
    for (const name of ['Start run', 'Complete first step of Nordlicht GmbH']) {
      expect(button(name).getAttribute('aria-disabled')).toBe('true');
      await user.click(button(name));
    }
    expect(server.calls('POST /api/runs')).toEqual([]);
    expect(server.calls('POST /api/runs/*/complete')).toEqual([]);
  });

  test('need a workflow', async () => {
    server.on('GET /api/workflows', { json: [] });
    renderApp('/app/legacy-workflows', { token: aToken() });
    expect(await screen.findByText('No workflows')).toBeDefined();
    expect(button('Start run').getAttribute('aria-disabled')).toBe('true');
    expect(button('Import YAML').title).toBe('YAML import requires an existing workflow');
  });
});

describe('YAML', () => {
  test('goes out into the text and comes in as a draft', async () => {
    server
      .on('GET /api/workflows/*/export-yaml', { text: 'steps:\n  - id: a\n' })
      .on('POST /api/workflows/*/import-yaml', refusal('Line 2, column 3: title is missing', 400));
    const { user } = await open();
    await user.click(button('Export YAML'));
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLTextAreaElement>('YAML text').value).toBe('steps:\n  - id: a\n'),
    );
    await user.click(button('Import YAML'));
    expect(await screen.findByText('Line 2, column 3: title is missing')).toBeDefined();
    expect(server.calls('POST /api/workflows/*/import-yaml')[0]).toMatchObject({
      path: '/api/workflows/flow/import-yaml',
    });
    server.on('GET /api/workflows/*/export-yaml', refusal('No'));
    await user.click(button('Export YAML'));
    expect(await screen.findByText('Failed to export YAML')).toBeDefined();
  });
});

test.each([
  ['GET /api/workflows', 'Failed to list workflows'],
  ['GET /api/runs', 'Failed to list runs'],
])('%s that fails says: %s', async (call, sentence) => {
  server.on(call, refusal('Out of order', 500));
  renderApp('/app/legacy-workflows', { token: aToken() });
  expect(await screen.findByText(sentence)).toBeDefined();
});

test.each([
  ['GET /api/workflows/*', 'Failed to get workflow'],
  ['GET /api/workflows/*/versions', 'Failed to list versions'],
])('what is opened and can’t be had says so: %s', async (call, sentence) => {
  server
    .on('GET /api/workflows/*', { json: { ...FLOW, steps: [], draftId: null, revision: 1 } })
    .on('GET /api/workflows/*/versions', { json: [LIVE] })
    .on(call, refusal('Out of order', 500));
  const { user } = await open();
  await user.click(button('Versions of Flow'));
  expect(await screen.findByText(sentence)).toBeDefined();
});

test('a diff that can’t be had says so', async () => {
  server.on('GET /api/workflows/*/drafts/*/diff', refusal('Out of order', 500));
  const { user } = await open();
  await user.click(button('Diff of draft 00000001'));
  expect(await screen.findByText('Failed to get diff')).toBeDefined();
});
