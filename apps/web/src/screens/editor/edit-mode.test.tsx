import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { aSummary } from '../../features/workflow-editor/testing/workflows.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aPersonalUser, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';
import { DRAFT, cell, open, startEditServer, titles } from './edit-mode.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startEditServer();
});

test('is read-only without permission to edit', async () => {
  server.on('GET /api/auth/me', { json: aUser({ orgRole: 'viewer', orgPermissions: ['workflow.read'] }) });
  const { user } = await open();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Move step 1' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Export' })).toBeDefined();
  await user.click(cell('Record the name.'));
  expect(screen.queryByRole('textbox', { name: 'Step 1, task' })).toBeNull();
});

test.each([
  ['is missing if no action is available', ['workflow.read'], undefined],
  ['shows the text of Start Run if it is the only action', ['workflow.read', 'run.start'], ['Start Run']],
] as const)('the bottom bar on phones %s', async (_, orgPermissions, words) => {
  server.on('GET /api/auth/me', { json: aUser({ orgRole: 'reviewer', orgPermissions: [...orgPermissions] }) });
  await open();
  const bar = document.querySelector('[data-save-bar]');
  expect(bar && [...bar.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual(words ?? null);
});

test('shows a message and a link if a workflow can’t be loaded', async () => {
  server.on('GET /api/workflows/*', { status: 404, json: { error: 'No such workflow', code: 'not_found' } });
  renderApp('/app/editor?key=gone&mode=edit', { token: aToken() });
  expect(await screen.findByRole('heading', { level: 1, name: 'Failed to load workflow' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Back to the editor' })).toBeDefined();
  const toasts = within(screen.getByRole('region', { name: 'Notifications' }));
  expect((await toasts.findByRole('alert')).textContent).toBe('ErrorNo such workflow');
});

test('doesn’t load the draft without an organization', async () => {
  server.on('GET /api/auth/me', { json: aUser({ currentOrgId: null }) });
  renderApp(DRAFT, { token: aToken() });
  expect(await screen.findByText('No organization selected')).toBeDefined();
  expect(server.calls('GET /api/workflows/*/drafts/*')).toHaveLength(0);
});

test('the demo shows the same table with a note that nothing is saved', async () => {
  const { user } = await open('/app/editor?mode=demo');
  expect(screen.getByRole('heading', { name: 'Demo Table' })).toBeDefined();
  expect(screen.getByText(/changes are not saved/)).toBeDefined();
  cell('approval: Final Approval').focus();
  await user.keyboard('Sign{Enter}');
  expect(titles()).toContain('Sign');
  await user.click(screen.getByRole('link', { name: 'Back to the editor' }));
  expect(await screen.findByText('Select Workflow')).toBeDefined();
});

describe('a new user', () => {
  beforeEach(() => {
    server
      .on('GET /api/auth/me', { json: aPersonalUser() })
      .on('GET /api/workflows', { json: [] })
      .on('GET /api/runs/summary', { json: { total: 0, byStatus: {} } });
  });
  const line = () => screen.findByRole('region', { name: 'Get started' });

  test('sees the next step in the editor, from writing to the first run', async () => {
    const first = await open('/app/editor?key=new&mode=edit');
    expect((await line()).textContent).toContain('Step 1 of 3 Write a workflow');
    first.unmount();

    server.on('GET /api/workflows', { json: [aSummary()] });
    await open();
    expect((await line()).textContent).toContain('Step 3 of 3 Start a run');
    expect(
      within(await line())
        .getByRole('link', { name: 'Start a run' })
        .getAttribute('href'),
    ).toBe('/app/workflows/run/vendor-onboarding');
  });

  test('can hide the next step and the checklist together', async () => {
    const { user, router } = await open('/app/editor?key=new&mode=edit');
    await user.click(within(await line()).getByRole('button', { name: 'Hide' }));
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
    await router.navigate('/app/editor');
    await screen.findByText('No workflows yet');
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
  });

  test('doesn’t see the next step once the organization has a run', async () => {
    server
      .on('GET /api/workflows', { json: [aSummary()] })
      .on('GET /api/runs/summary', { json: { total: 1, byStatus: {} } });
    await open();
    await waitFor(() => expect(server.calls('GET /api/runs/summary')).not.toHaveLength(0));
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
  });
});

describe('the builder as a second view of the document', () => {
  const builder = () => screen.findByRole('region', { name: 'Workflow builder' });

  test('shares unsaved changes, undo and the active step with the table', async () => {
    const { user, router } = await open();
    cell('approval: Compliance review').focus();
    await user.keyboard('Second look{Enter}{ArrowUp}');
    await user.click(screen.getByRole('button', { name: 'Open in builder' }));
    const frame = within(await builder());
    expect(router.state.location.search).toContain('view=builder');
    expect(frame.getByText('Unsaved changes')).toBeDefined();
    await waitFor(() => expect(document.activeElement?.closest('[role="row"]')?.textContent).toContain('Second look'));
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await user.click(frame.getByRole('button', { name: 'Open as table' }));
    await screen.findByRole('columnheader', { name: 'Assignee' });
    expect(router.state.location.search).not.toContain('view=');
    expect(titles()).toEqual(['Second look', 'Register the request', 'Tell finance']);
    await waitFor(() => expect(document.activeElement?.closest('[role="row"]')?.textContent).toContain('Second look'));
    await user.keyboard('{Control>}zz{/Control}');
    expect(titles()).toEqual(['Register the request', 'Compliance review', 'Tell finance']);
    expect(screen.queryByText('Unsaved changes')).toBeNull();
  });

  test('submits the draft', async () => {
    server
      .on('POST /api/workflows/*/drafts/*/submit', { json: {} })
      .on('PATCH /api/workflows/*/drafts/*', { json: { draftId: 'd', revision: 4 } });
    const { user } = renderApp(`${DRAFT}&view=builder`, { token: aToken() });
    await user.click(within(await builder()).getByRole('button', { name: 'Submit for review' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Submit for review' }));
    await user.type(dialog.getByLabelText('What changes, and why'), 'Two more checks.');
    await user.click(dialog.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(server.calls('POST /api/workflows/*/drafts/*/submit')).toHaveLength(1));
  });
});

describe('the side pane', () => {
  test('is closed at first, edits the active step, and makes typed text one undo step', async () => {
    const { user } = await open();
    expect(screen.queryByRole('complementary', { name: /^Step/ })).toBeNull();
    cell('manual: Register the request').focus();
    await user.keyboard('{Control>}{Enter}{/Control}');
    const pane = () => within(screen.getByRole('complementary', { name: 'Step 1' }));
    await user.selectOptions(await pane().findByLabelText('Type'), 'approval');
    expect(cell('approval: Register the request')).toBeDefined();
    await user.type(pane().getByLabelText('Title'), ' again');
    expect(titles()[0]).toBe('Register the request again');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary', { name: /^Step/ })).toBeNull();
    await user.keyboard('{Control>}zz{/Control}');
    expect(titles()[0]).toBe('Register the request');
    expect(screen.queryByText('Unsaved changes')).toBeNull();
  });

  test('shows a form error next to its field once the field loses focus', async () => {
    const { user } = await open();
    cell('manual: Register the request').focus();
    await user.keyboard('{Control>}{Enter}{/Control}');
    const pane = within(screen.getByRole('complementary', { name: 'Step 1' }));
    await user.click(await pane.findByRole('button', { name: 'Add field' }));
    const field = within(pane.getByRole('listitem', { name: 'Field 1' }));
    const label = field.getByRole('textbox', { name: 'Label' });
    await user.click(label);
    expect(pane.queryByText(/Enter a label for the field/)).toBeNull();
    await user.tab();
    expect(pane.getAllByText(/Enter a label for the field/)).toHaveLength(1);
    expect(label.getAttribute('aria-invalid')).toBe('true');
  });

  test('is still open after switching to the builder and back, and the focus is in the table', async () => {
    const { user } = await open();
    cell('approval: Compliance review').focus();
    await user.keyboard('{Control>}{Enter}{/Control}');
    await user.click(screen.getByRole('button', { name: 'Open in builder' }));
    expect(screen.queryByRole('complementary', { name: /^Step \d/ })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Open as table' }));
    expect(await screen.findByRole('complementary', { name: 'Step 2' })).toBeDefined();
    await waitFor(() => expect(document.activeElement).toBe(cell('approval: Compliance review')));
  });

  test('doesn’t undo a change of the document if Ctrl+Z is pressed in the script editor', async () => {
    const { user } = await open();
    cell('manual: Register the request').focus();
    await user.keyboard('{Control>}{Enter}{/Control}');
    const pane = within(screen.getByRole('complementary', { name: 'Step 1' }));
    await user.selectOptions(await pane.findByLabelText('Type'), 'automated');
    // The code editor can't receive the focus without a layout.
    fireEvent.keyDown(await pane.findByRole('textbox', { name: 'Script' }), { key: 'z', ctrlKey: true });
    cell('automated: Register the request').focus();
    await user.keyboard('{Control>}z{/Control}');
    expect(cell('manual: Register the request')).toBeDefined();
  });

  test('follows the active step', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Actions for step 2' }));
    await user.click(screen.getByRole('menuitem', { name: /^Step details/ }));
    expect(screen.getByRole('complementary', { name: 'Step 2' })).toBeDefined();
    cell('manual: Register the request').focus();
    expect(await screen.findByRole('complementary', { name: 'Step 1' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Close step details (Esc)' }));
    expect(screen.queryByRole('complementary', { name: /^Step/ })).toBeNull();
  });
});
