import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { aDraft, aSummary, aVersion } from '../../features/workflow-editor/testing/workflows.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aPersonalUser } from '../../testing/records.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { DRAFTS, SAVE, isUnsaved, open, press, startEditServer } from './edit-mode.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startEditServer();
});

describe('a draft that is no longer open', () => {
  const gone = 'This draft is no longer open';
  test.each([
    ['merged', 409, 'already_merged'],
    ['discarded', 404, 'not_found'],
  ])('lets the person save the changes as a new draft if it was %s elsewhere', async (_, status, code) => {
    const { user, router } = await open();
    await user.type(screen.getByLabelText('Workflow Name'), ' mine');
    server.on(SAVE, { status, json: { error: 'The draft is closed', code } });
    await user.click(press('Save'));
    const dialog = within(await screen.findByRole('dialog', { name: gone }));
    expect(dialog.getByText('Workflow Name')).toBeDefined();
    const other = '0199dddd-0000-7000-8000-000000000002';
    server
      .on(DRAFTS, { status: 201, json: { draftId: other, revision: 1 } })
      .on('GET /api/workflows/*/drafts/*', { json: aDraft({ id: other, revision: 1 }) });
    await user.click(dialog.getByRole('button', { name: 'Save as a new draft' }));
    expect(await screen.findByText('Workflow Saved')).toBeDefined();
    expect(server.calls(DRAFTS)[0]?.body).toMatchObject({ metadata: { title: 'Vendor onboarding mine' } });
    expect(router.state.location.search).toContain(other);
    expect(isUnsaved()).toBe(false);
  });

  test('is replaced by the current workflow and a note', async () => {
    server.on('GET /api/workflows/*/drafts/*', { status: 404, json: { error: 'No such draft', code: 'not_found' } });
    await open();
    expect(screen.getByText(/The draft at this address no longer exists/)).toBeDefined();
  });
});

test('offers to restore unsaved changes onto the current workflow if the draft was discarded elsewhere', async () => {
  const { user, unmount } = await open();
  await user.type(screen.getByLabelText('Description'), '!');
  unmount();
  server.on('GET /api/workflows/*/drafts/*', { status: 404, json: { error: 'No such draft', code: 'not_found' } });
  const again = await open();
  expect(isUnsaved()).toBe(false);
  await again.user.click(await screen.findByRole('button', { name: 'Restore unsaved changes' }));
  expect(screen.getByLabelText('Description')).toHaveProperty('value', `${aSummary().metadata.description}!`);
  expect(isUnsaved()).toBe(true);
});

describe('making a draft live', () => {
  test('saves, submits and merges it with one click in a personal account', async () => {
    const version = aVersion({ status: 'live', version: 1, label: 'v1' });
    server
      .on('GET /api/auth/me', { json: aPersonalUser() })
      .on('GET /api/workflows/*/drafts/*', { json: aDraft({ baseVersion: null }, { publish: true }) })
      .on('POST /api/workflows/*/drafts/*/submit', { json: aVersion({ status: 'in_review' }) })
      .on('POST /api/workflows/*/drafts/*/merge', { json: { version } });
    const { user, router } = await open('/app/editor?key=new&mode=edit&template=approval');
    const name = screen.getByLabelText<HTMLTextAreaElement>('Workflow Name');
    expect(name.value).toBe('New Approval Process Workflow');
    expect(document.activeElement, 'the name is selected').toBe(name);
    expect(name.selectionEnd).toBe(name.value.length);
    await user.keyboard('{Enter}');
    expect(document.activeElement?.getAttribute('role'), 'Enter moves to the first step').toBe('gridcell');
    expect(isUnsaved()).toBe(false);
    await user.click(press('Publish'));
    expect(await screen.findByText('v1 is live')).toBeDefined();
    expect(screen.getAllByText('Live').length).toBeGreaterThan(0);
    expect(server.requests.filter(({ key }) => !key.startsWith('GET')).map(({ key }) => key.split('/').at(-1))).toEqual(
      ['drafts', 'submit', 'merge'],
    );
    expect(router.state.location.search).toMatch(/^\?key=workflow-\d+&mode=edit$/);
  });

  test('requires a review in a team; the draft can be withdrawn from it', async () => {
    server
      .on('POST /api/workflows/*/drafts/*/submit', () => {
        const inReview = aDraft({ status: 'in_review' }, { submit: false, withdraw: true });
        server.on('GET /api/workflows/*/drafts/*', { json: inReview });
        return { json: aVersion({ status: 'in_review' }) };
      })
      .on('POST /api/workflows/*/drafts/*/withdraw', () => {
        server.on('GET /api/workflows/*/drafts/*', { json: aDraft() });
        return { json: aVersion() };
      });
    const { user } = await open();
    await user.click(press('Submit for review'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Submit for review' }));
    await user.click(dialog.getByRole('button', { name: 'Submit' }));
    expect(await dialog.findByText('Summarize the change and its reason for the reviewers')).toBeDefined();
    await user.type(dialog.getByLabelText('What changes, and why'), 'Finance asked for it.');
    await user.click(dialog.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByText('In Review')).toBeDefined();
    expect(server.calls('POST /api/workflows/*/drafts/*/submit')[0]?.body).toEqual({
      summary: 'Finance asked for it.',
    });
    expect(await screen.findByText('Submitted for review')).toBeDefined();
    await user.click(press('Withdraw from review'));
    await waitFor(() => expect(screen.queryByText('In Review')).toBeNull());
  });
});
