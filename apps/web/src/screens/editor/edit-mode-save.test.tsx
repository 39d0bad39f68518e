import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { aDraft, aSummary, DRAFT_ID, STEPS } from '../../features/workflow-editor/testing/workflows.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { DRAFTS, SAVE, isUnsaved, open, press, startEditServer, titles, undo } from './edit-mode.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startEditServer();
});

describe('saving', () => {
  test('saves a draft based on the loaded revision, with its step types and links', async () => {
    const { user } = await open();
    await user.type(screen.getByLabelText('Workflow Name'), ' 2');
    server.on('GET /api/workflows/*/drafts/*', { json: aDraft({ revision: 4 }) });
    await user.click(press('Save'));
    expect(await screen.findByText('Workflow Saved')).toBeDefined();
    const [call] = server.calls(SAVE);
    expect(call?.headers.get('if-match')).toBe('"3"');
    expect(call?.body).toEqual({
      key: 'vendor-onboarding',
      metadata: { ...aSummary().metadata, title: 'Vendor onboarding 2' },
      steps: STEPS,
    });
    expect(isUnsaved()).toBe(false);
    await user.type(screen.getByLabelText('Description'), '!');
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(server.calls(SAVE)[1]?.headers.get('if-match')).toBe('"4"'));
  });

  test('saves the live version as a new draft and replaces the address with the draft’s', async () => {
    const { user, router } = await open('/app/editor?key=vendor-onboarding&mode=edit');
    await user.type(screen.getByLabelText('Description'), '!');
    await user.click(press('Save'));
    await waitFor(() => expect(router.state.location.search).toContain(`draftId=${DRAFT_ID}`));
    expect(server.calls(DRAFTS)).toHaveLength(1);
    // The document wasn't reloaded, so undo still works.
    expect(server.calls('GET /api/workflows/*')).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Undo' }).getAttribute('aria-disabled')).toBe('false');
  });

  test('gives a new step an id from its title, keeps the focus in its row, and allows undo', async () => {
    server.on('GET /api/workflows/*/step-ids', { json: { stepIds: ['collect', 'call-the-vendor'] } });
    const { user } = await open();
    await user.click(press('Add Step'));
    await user.clear(screen.getByRole('textbox', { name: 'Step 4, name' }));
    await user.keyboard('Call the vendor{Enter}');
    const focused = () => document.activeElement?.closest<HTMLElement>('[data-step]')?.dataset['step'];
    await waitFor(() => expect(focused()).toMatch(/^new-/));
    await user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText('Workflow Saved')).toBeDefined();
    const [call] = server.calls(SAVE);
    const { steps } = (call as unknown as { body: { steps: { id: string; next: string[] }[] } }).body;
    expect(steps.at(-1)).toMatchObject({ id: 'call-the-vendor-2', title: 'Call the vendor' });
    expect(steps.at(-2)?.next).toEqual(['call-the-vendor-2']);
    expect(focused()).toBe('call-the-vendor-2');
    expect(isUnsaved()).toBe(false);
    await user.click(undo());
    expect(titles().at(-1)).toBe('New Step');
    expect(isUnsaved()).toBe(true);
  });

  describe('of a new workflow', () => {
    const saveNew = async (name: string | null) => {
      const { user } = await open('/app/editor?key=new&mode=edit&template=approval');
      if (name !== null) await user.clear(screen.getByLabelText('Workflow Name'));
      if (name !== null) await user.type(screen.getByLabelText('Workflow Name'), name);
      else await user.type(screen.getByLabelText('Description'), '!');
      await user.click(press('Save'));
      await screen.findByText('Workflow Saved');
      return server.calls(DRAFTS).map(({ key }) => key.split('/').at(-2));
    };

    test('uses a key from its name', async () => {
      expect(await saveNew('Purchase approval')).toEqual(['purchase-approval']);
    });

    test('uses the template’s key if the name wasn’t changed', async () => {
      expect(await saveNew(null)).toEqual([expect.stringMatching(/^workflow-\d+$/)]);
    });

    test('uses the template’s key if another workflow has the key from its name', async () => {
      server.on(DRAFTS, ({ key }) =>
        key.includes('/purchase-approval/')
          ? { status: 409, json: { error: 'Taken', code: 'key_taken' } }
          : { status: 201, json: { draftId: DRAFT_ID, revision: 1 } },
      );
      expect(await saveNew('Purchase approval')).toEqual([
        'purchase-approval',
        expect.stringMatching(/^workflow-\d+$/),
      ]);
    });
  });

  test('requires a name', async () => {
    const { user } = await open();
    await user.clear(screen.getByLabelText('Workflow Name'));
    await user.click(press('Save'));
    expect((await screen.findAllByText(/Workflow key and title are required/)).length).toBeGreaterThan(0);
    expect(server.calls(SAVE)).toHaveLength(0);
  });

  test('keeps the input after a failure and shows the reason', async () => {
    server.on(SAVE, { status: 400, json: { error: 'Step 2 has no name', code: 'invalid' } });
    const { user } = await open();
    await user.type(screen.getByLabelText('Description'), '!');
    await user.click(press('Save'));
    const notes = await screen.findAllByText(/Step 2 has no name/);
    expect(notes.length).toBeGreaterThan(1);
    expect(isUnsaved()).toBe(true);

    server.on(SAVE, { json: { draftId: DRAFT_ID, revision: 4 } });
    await user.click(press('Save'));
    expect(await screen.findByText('Workflow Saved')).toBeDefined();
    expect(screen.queryByText(/Step 2 has no name/)).toBeNull();
  });

  test('doesn’t overwrite another person’s save without asking', async () => {
    const theirs = aDraft({ revision: 5, metadata: { title: 'Theirs', description: 'Other' } });
    const { user } = await open();
    await user.type(screen.getByLabelText('Workflow Name'), ' mine');
    server
      .on(SAVE, { status: 409, json: { error: 'The draft was saved in the meantime', code: 'stale_revision' } })
      .on('GET /api/workflows/*/drafts/*', { json: theirs });
    await user.click(press('Save'));
    const dialog = within(await screen.findByRole('dialog', { name: 'This draft was saved elsewhere' }));
    expect(dialog.getByText(/^The draft was saved in the meantime, at/)).toBeDefined();
    expect(dialog.getByText('Workflow Name')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Take theirs' }));
    const name = screen.getByLabelText<HTMLTextAreaElement>('Workflow Name');
    expect(name.value).toBe('Theirs');
    expect(isUnsaved()).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(name.value).toBe('Vendor onboarding mine');

    server.on(SAVE, { json: { draftId: DRAFT_ID, revision: 6 } });
    await user.click(press('Save'));
    await waitFor(() => expect(server.calls(SAVE)[1]?.headers.get('if-match')).toBe('"5"'));
  });

  test('Keep mine overwrites another person’s save', async () => {
    const { user } = await open();
    await user.type(screen.getByLabelText('Workflow Name'), ' mine');
    server
      .on(SAVE, { status: 409, json: { error: 'Stale', code: 'stale_revision' } })
      .on('GET /api/workflows/*/drafts/*', { json: aDraft({ revision: 5 }) });
    await user.click(press('Save'));
    const dialog = within(await screen.findByRole('dialog', { name: 'This draft was saved elsewhere' }));
    server.on(SAVE, { json: { draftId: DRAFT_ID, revision: 6 } });
    await user.click(dialog.getByRole('button', { name: 'Keep mine' }));
    expect(await screen.findByText('Workflow Saved')).toBeDefined();
    expect(server.calls(SAVE)[1]?.headers.get('if-match')).toBe('"5"');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

test('a save whose response was lost doesn’t conflict with itself', async () => {
  const { user } = await open();
  await user.type(screen.getByLabelText('Workflow Name'), ' 2');
  server
    .on(SAVE, { status: 409, json: { error: 'Priya saved this draft', code: 'stale_revision' } })
    .on('GET /api/workflows/*/drafts/*', {
      json: aDraft({ revision: 4, metadata: { ...aSummary().metadata, title: 'Vendor onboarding 2' } }),
    });
  await user.click(press('Save'));
  expect(await screen.findByText('Workflow Saved')).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(isUnsaved()).toBe(false);
});

test('doesn’t create a draft without changes to the live version', async () => {
  const { user } = await open('/app/editor?key=vendor-onboarding&mode=edit');
  await user.click(press('Save'));
  expect(await screen.findByText('Nothing to save')).toBeDefined();
  expect(server.calls(DRAFTS)).toHaveLength(0);
});

test('resolves a conflict by merging both versions', async () => {
  const theirs = aDraft({
    revision: 5,
    metadata: { ...aSummary().metadata, title: 'Theirs' },
    steps: STEPS.map((step) => (step.id === 's2' ? { ...step, sla: '1 hour' } : step)),
  });
  const { user } = await open();
  await user.type(screen.getByLabelText('Workflow Name'), ' mine');
  await user.click(screen.getByRole('gridcell', { name: 'Record the name.' }));
  await user.keyboard('Mine{Enter}');
  server
    .on(SAVE, { status: 409, json: { error: 'Sam saved this draft in the meantime', code: 'stale_revision' } })
    .on('GET /api/workflows/*/drafts/*', { json: theirs });
  await user.keyboard('{Control>}s{/Control}');
  await user.click(await screen.findByRole('button', { name: 'Resolve the conflict' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge both changes' }));
  expect(dialog.getByText('You both made different changes in 1 place.')).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Use merged version' }));
  expect(screen.getByRole('dialog', { name: 'Merge both changes' })).toBeDefined();
  await user.click(dialog.getByRole('radio', { name: 'Theirs Theirs' }));
  await user.click(dialog.getByRole('button', { name: 'Use merged version' }));
  expect(screen.getByLabelText<HTMLTextAreaElement>('Workflow Name').value).toBe('Theirs');
  expect(screen.getByRole('gridcell', { name: '1 hour' })).toBeDefined();
  expect(screen.getByRole('gridcell', { name: 'Mine' })).toBeDefined();
  expect(isUnsaved()).toBe(true);
  server.on(SAVE, { json: { draftId: DRAFT_ID, revision: 6 } });
  await user.keyboard('{Control>}s{/Control}');
  await waitFor(() => expect(server.calls(SAVE)[1]?.headers.get('if-match')).toBe('"5"'));
  await user.click(undo());
  expect(screen.getByLabelText<HTMLTextAreaElement>('Workflow Name').value).toBe('Vendor onboarding mine');
});
