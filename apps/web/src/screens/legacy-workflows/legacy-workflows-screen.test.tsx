import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';
import {
  EDITOR,
  FLOW,
  LIVE,
  region,
  button,
  openLegacyWorkflows,
  refusal,
  startLegacyServer,
} from '../../testing/legacy-workflows-scene.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startLegacyServer();
});

describe('the account box', () => {
  test('is also shown to signed-in people and lets them log in as someone else', async () => {
    const { user } = await openLegacyWorkflows();
    const account = region('Account');
    expect(account.getByText('Signed in as Priya Nair (owner)')).toBeDefined();
    expect([...account.getByLabelText('Role').querySelectorAll('option')].map(({ value }) => value)).toEqual([
      'editor',
      'reviewer',
      'viewer',
    ]);
    server.on('POST /api/auth/login', refusal('Wrong email or password', 401));
    await user.type(account.getByLabelText('Email'), 'sam@haldenworks.example');
    await user.type(account.getByLabelText('Password'), 'secret');
    await user.click(account.getByRole('button', { name: 'Log in' }));
    expect((await account.findByRole('alert')).textContent).toBe('Wrong email or password');

    server
      .on('POST /api/auth/login', {
        json: { token: aToken({ sub: 'sam', email: 'sam@haldenworks.example' }), user: EDITOR },
      })
      .on('GET /api/auth/me', { json: aUser({ name: 'Sam Okafor' }) });
    await user.click(account.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByText('Signed in as Sam Okafor (editor)')).toBeDefined();
  });

  test('sends the chosen role when signing up, and shows a refusal', async () => {
    const { user } = await openLegacyWorkflows();
    const account = region('Account');
    server.on('POST /api/auth/signup', refusal('An account with this email already exists'));
    await user.type(account.getByLabelText('Email'), 'new@x.example');
    await user.type(account.getByLabelText('Name'), 'New Here');
    await user.selectOptions(account.getByLabelText('Role'), 'reviewer');
    await user.type(account.getByLabelText('Password'), 'secret');
    await user.click(account.getByRole('button', { name: 'Sign up' }));
    expect((await account.findByRole('alert')).textContent).toBe('An account with this email already exists');
    expect(server.calls('POST /api/auth/signup')[0]?.body).toEqual({
      email: 'new@x.example',
      name: 'New Here',
      role: 'reviewer',
      password: 'secret',
    });
  });
});

describe('runs', () => {
  test('can be started; a refusal to complete their first step is shown', async () => {
    server
      .on('POST /api/runs', { status: 201, json: { id: 'r' } })
      .on('POST /api/runs/*/complete', refusal('This run is paused'));
    const { user } = await openLegacyWorkflows();
    await user.click(button('Start run'));
    await waitFor(() =>
      expect(server.calls('POST /api/runs')[0]?.body).toMatchObject({ key: 'flow', priority: 'medium' }),
    );
    await user.click(button('Complete first step of Nordlicht GmbH'));
    expect(await screen.findByText('This run is paused')).toBeDefined();
    expect(server.calls('POST /api/runs/*/complete')[0]?.body).toMatchObject({ stepId: 'assess' });
  });

  test('can’t be started or completed by people without permission', async () => {
    server.on('GET /api/auth/me', { json: { ...EDITOR, orgRole: 'viewer', orgPermissions: ['workflow.read'] } });
    const { user } = await openLegacyWorkflows();
    for (const name of ['Start run', 'Complete first step of Nordlicht GmbH']) {
      expect(button(name).getAttribute('aria-disabled')).toBe('true');
      await user.click(button(name));
    }
    expect(server.calls('POST /api/runs')).toEqual([]);
    expect(server.calls('POST /api/runs/*/complete')).toEqual([]);
  });

  test('can’t be started without a workflow', async () => {
    server.on('GET /api/workflows', { json: [] });
    renderApp('/app/legacy-workflows', { token: aToken() });
    expect(await screen.findByText('No workflows')).toBeDefined();
    expect(button('Start run').getAttribute('aria-disabled')).toBe('true');
    expect(button('Import YAML').title).toBe('YAML import requires an existing workflow');
  });
});

describe('YAML', () => {
  test('can be exported into the text field; a refused import and a failed export show a message', async () => {
    server
      .on('GET /api/workflows/*/export-yaml', { text: 'steps:\n  - id: a\n' })
      .on('POST /api/workflows/*/import-yaml', refusal('Line 2, column 3: title is missing', 400));
    const { user } = await openLegacyWorkflows();
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
])('a failed %s shows the message “%s”', async (call, sentence) => {
  server.on(call, refusal('Out of order', 500));
  renderApp('/app/legacy-workflows', { token: aToken() });
  expect(await screen.findByText(sentence)).toBeDefined();
});

test.each([
  ['GET /api/workflows/*', 'Failed to get workflow'],
  ['GET /api/workflows/*/versions', 'Failed to list versions'],
])('a failed %s for an expanded part shows the message “%s”', async (call, sentence) => {
  server
    .on('GET /api/workflows/*', { json: { ...FLOW, steps: [], draftId: null, revision: 1 } })
    .on('GET /api/workflows/*/versions', { json: [LIVE] })
    .on(call, refusal('Out of order', 500));
  const { user } = await openLegacyWorkflows();
  await user.click(button('Versions of Flow'));
  expect(await screen.findByText(sentence)).toBeDefined();
});

test('shows an error if a diff can’t be loaded', async () => {
  server.on('GET /api/workflows/*/drafts/*/diff', refusal('Out of order', 500));
  const { user } = await openLegacyWorkflows();
  await user.click(button('Diff of draft 00000001'));
  expect(await screen.findByText('Failed to get diff')).toBeDefined();
});
