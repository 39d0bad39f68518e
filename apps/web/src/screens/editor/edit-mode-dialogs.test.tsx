import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { aDetail, aDraft } from '../../features/workflow-editor/testing/workflows.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aUser } from '../../testing/records.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { cell, isUnsaved, open, press, startEditServer } from './edit-mode.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startEditServer();
});

describe('dialogs', () => {
  test('View Changes appears with unsaved changes, counts them and compares them', async () => {
    const { user } = await open();
    expect(screen.queryByRole('button', { name: 'View Changes' })).toBeNull();
    await user.click(cell('Record the name.'));
    await user.keyboard('x{Enter}');
    await user.click(press('View Changes'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Workflow Changes' }));
    for (const count of ['0 added', '0 removed', '1 modified']) expect(dialog.getByText(count)).toBeDefined();
    expect(dialog.getByText('Record the name.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('leaving with unsaved changes asks first; Cancel stays and Confirm leaves', async () => {
    const { user, router } = await open();
    await user.type(screen.getByLabelText('Description'), '!');
    expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(false);
    await user.click(press('Back'));
    const sentence = 'You have unsaved changes. Are you sure you want to go back?';
    expect(await screen.findByText(sentence)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(router.state.location.search).toContain('mode=edit');
    await user.click(screen.getByRole('link', { name: 'Editor', current: false }));
    expect(await screen.findByText(sentence)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Select Workflow')).toBeDefined();
  });

  test('leaving without unsaved changes doesn’t ask', async () => {
    const { user } = await open();
    await user.click(press('Back'));
    expect(await screen.findByText('Select Workflow')).toBeDefined();
  });

  test('a run requires a saved workflow', async () => {
    const { user } = await open('/app/editor?key=new&mode=edit');
    await user.click(press('Start Run'));
    expect(await screen.findByText('Save the workflow before starting a run')).toBeDefined();
  });

  test('a run can’t be started before unsaved changes are saved', async () => {
    const { user } = await open();
    await user.type(screen.getByLabelText('Description'), '!');
    await user.click(press('Start Run'));
    expect(await screen.findByText('Please save your workflow before starting a run')).toBeDefined();
    expect(screen.getAllByText('Unsaved Changes'), 'in the editor and in a toast').toHaveLength(2);
    await user.click(press('Undo'));
    expect(screen.queryByText(/Please save your workflow/), 'nothing remains unsaved').toBeNull();
  });

  test('Delete asks for confirmation first', async () => {
    server
      .on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read', 'draft.edit', 'workflow.archive'] }) })
      .on('DELETE /api/workflows/*', { json: { message: 'Archived', outcome: 'archived' } });
    const { user } = await open();
    await user.click(press('Delete'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Vendor onboarding?' }));
    expect(
      dialog.getByText(/so it will be archived\. .* Open runs continue, .* This action cannot be undone\.$/),
    ).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Workflow Deleted')).toBeDefined();
    expect(await screen.findByText('Select Workflow')).toBeDefined();
  });

  test('an archived workflow is read-only and can’t be run', async () => {
    server.on('GET /api/workflows/*', { json: aDetail({ status: 'archived' }) });
    await open('/app/editor?key=vendor-onboarding&mode=edit');
    expect(screen.getByText('This workflow is archived: it can be read, exported and duplicated.')).toBeDefined();
    expect(screen.getByText('Vendor onboarding (archived)')).toBeDefined();
    for (const name of ['Save', 'Start Run', 'Delete', 'Add Step', 'Import'])
      expect(screen.queryByRole('button', { name }), name).toBeNull();
    expect(press('Export')).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('Workflow Name').readOnly).toBe(true);
  });

  test('a draft of an archived workflow is read-only, too', async () => {
    server.on('GET /api/workflows/*/drafts/*', { json: aDraft({}, { edit: false }) });
    await open();
    expect(screen.getByText('This workflow is archived: it can be read, exported and duplicated.')).toBeDefined();
    for (const name of ['Save', 'Start Run', 'Add Step'])
      expect(screen.queryByRole('button', { name }), name).toBeNull();
  });

  test('discarding a draft that was reviewed requires a reason', async () => {
    server
      .on('GET /api/workflows/*/drafts/*', { json: aDraft({}, { discardNeedsReason: true }) })
      .on('DELETE /api/workflows/*/drafts/*', { json: { message: 'Discarded' } });
    const { user } = await open();
    await user.click(press('Discard draft'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Discard this draft?' }));
    await user.click(dialog.getByRole('button', { name: 'Discard draft' }));
    expect(await dialog.findByText('Enter a reason, because someone has already reviewed this')).toBeDefined();
    expect(server.calls('DELETE /api/workflows/*/drafts/*')).toHaveLength(0);
    await user.type(dialog.getByLabelText('Reason'), 'Superseded by another plan');
    await user.click(dialog.getByRole('button', { name: 'Discard draft' }));
    expect(await screen.findByText('Draft discarded')).toBeDefined();
    expect(server.calls('DELETE /api/workflows/*/drafts/*')[0]?.body).toEqual({ reason: 'Superseded by another plan' });
  });

  test('hides Delete from people without permission and says that settings are coming soon', async () => {
    const { user } = await open();
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    await user.click(press('Settings'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Coming Soon' }));
    expect(dialog.getByText('Workflow settings will be available in a future update.')).toBeDefined();
  });
});

test('shows Start Run even with unsaved changes, in the top bar and in the bottom bar on phones', async () => {
  const { user } = await open();
  await user.type(screen.getByLabelText('Description'), '!');
  expect(screen.getAllByRole('button', { name: 'Start Run' })).toHaveLength(2);
});

test('logging out with unsaved changes asks first; Cancel keeps the person signed in', async () => {
  server.on('POST /api/auth/logout', { json: { message: 'Bye' } });
  const { user } = await open();
  await user.type(screen.getByLabelText('Description'), '!');
  await user.click(screen.getByRole('button', { name: 'Log out' }));
  expect(await screen.findByText('You have unsaved changes. Are you sure you want to go back?')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(server.calls('POST /api/auth/logout')).toHaveLength(0);
  expect(isUnsaved()).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Log out' }));
  await user.click(await screen.findByRole('button', { name: 'Confirm' }));
  expect(await screen.findByRole('button', { name: 'Log in' })).toBeDefined();
  expect(server.calls('POST /api/auth/logout')).toHaveLength(1);
});
