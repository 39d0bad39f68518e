import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { aDetail, aDraft, aSummary, aVersion, DRAFT_ID, STEPS } from '../../features/editor/testing/workflows.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aPersonalUser, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const DRAFT = `/app/editor?key=vendor-onboarding&mode=edit&draftId=${DRAFT_ID}`;
const DRAFTS = 'POST /api/workflows/*/drafts';
const SAVE = 'PATCH /api/workflows/*/drafts/*';

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/workflows', { json: [aSummary()] })
    .on('GET /api/workflows/*', { json: aDetail() })
    .on('GET /api/workflows/*/drafts/*', { json: aDraft() })
    .on('GET /api/organizations/*/users', {
      json: [{ id: 'x', name: 'Greta', email: 'greta@halden.example', role: 'editor' }],
    })
    .on('GET /api/organizations/*/common-assignees', { json: [{ assignee: 'reviewer' }] })
    .on(SAVE, { json: { draftId: DRAFT_ID, revision: 4 } })
    .on(DRAFTS, { status: 201, json: { draftId: DRAFT_ID, revision: 1 } });
});

async function open(address = DRAFT) {
  const app = renderApp(address, { token: aToken() });
  await screen.findByRole('grid', { name: 'Steps' });
  return app;
}
const cell = (name: string) => screen.getByRole('gridcell', { name });
const titles = () =>
  within(screen.getByRole('grid'))
    .getAllByRole('row')
    .filter((row) => row.dataset['step'])
    .map((row) => row.querySelector('.step-name b')?.textContent);
// The bar at the top and the one at a phone's foot both have it; either does.
const press = (name: string): HTMLElement => {
  const button = screen.getAllByRole('button', { name })[0];
  if (!button) throw new Error(name);
  return button;
};
const isUnsaved = () => screen.queryByText('Unsaved changes') !== null;

describe('cells', () => {
  test('Enter opens a cell, Enter commits it, and the row shows what was there', async () => {
    const { user } = await open();
    await user.click(cell('Record the name.'));
    const text = screen.getByRole('textbox', { name: 'Step 1, task' });
    await user.clear(text);
    await user.type(text, 'Record it{Shift>}{Enter}{/Shift}and sign{Enter}');
    const edited = screen.getByRole('gridcell', { name: /Record it/ });
    expect(edited.textContent).toBe('Record it\nand sign');
    expect(document.activeElement).toBe(edited);
    const prev = screen.getByRole('row', { name: 'Before the change, step 1' });
    expect(prev.textContent).toContain('Record the name.');
    expect(isUnsaved()).toBe(true);
    await user.click(within(prev).getByRole('button', { name: 'Clear diff' }));
    expect(screen.queryByRole('row', { name: /Before the change/ })).toBeNull();
    expect(isUnsaved()).toBe(true);
  });

  test('Escape leaves the cell as it was', async () => {
    const { user } = await open();
    await user.click(cell('Record the name.'));
    await user.keyboard('gone{Escape}');
    expect(document.activeElement).toBe(cell('Record the name.'));
    expect(isUnsaved()).toBe(false);
  });

  test('arrows walk from cell to cell, F2 edits, Tab commits and goes on', async () => {
    const { user } = await open();
    cell('manual: Register the request').focus();
    await user.keyboard('{ArrowDown}{F2}');
    await user.keyboard('Second look{Tab}');
    expect(titles()).toEqual(['Register the request', 'Second look', 'Tell finance']);
    // The comparison under the row has an assignee too.
    expect(document.activeElement).toBe(screen.getAllByRole('gridcell', { name: 'reviewer' })[0]);
    await user.keyboard('{Shift>}{Tab}{/Shift}{ArrowUp}');
    expect(document.activeElement).toBe(cell('manual: Register the request'));
  });

  test('a letter typed on a cell begins a new text', async () => {
    const { user } = await open();
    cell('manual: Register the request').focus();
    await user.keyboard('New{Enter}');
    expect(titles()[0]).toBe('New');
  });

  test('assignees are suggested by a part of their text, with their tag', async () => {
    const { user } = await open();
    await waitFor(() => expect(server.calls('GET /api/organizations/*/users')).toHaveLength(1));
    await user.click(cell('auto'));
    await user.clear(screen.getByRole('combobox'));
    await user.type(screen.getByRole('combobox'), 'RE');
    const options = await screen.findAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(['Rreviewerrole', 'Ggreta@halden.exampleemail']);
    await user.keyboard('{ArrowDown}{Enter}');
    expect(cell('greta@halden.example')).toBeDefined();
  });

  test('an assignee that names nobody is flagged with a sentence and can be saved', async () => {
    const { user } = await open();
    await user.click(cell('auto'));
    await user.clear(screen.getByRole('combobox'));
    await user.type(screen.getByRole('combobox'), 'sam okafor{Enter}');
    const flagged = screen.getByRole('gridcell', { name: /sam okafor/ });
    expect(flagged.getAttribute('aria-invalid')).toBe('true');
    expect(flagged.textContent).toContain(
      'Please enter a valid email address or system role (system, auto, unassigned)',
    );
    await user.click(press('Save'));
    await waitFor(() => expect(server.calls(SAVE)).toHaveLength(1));
  });

  test('a duration is set by days, hours and minutes', async () => {
    const { user } = await open();
    await user.click(cell('2 days'));
    const dialog = within(screen.getByRole('dialog', { name: 'Set SLA Duration' }));
    expect(dialog.getByLabelText<HTMLSelectElement>('Days').value).toBe('2');
    expect(dialog.getByLabelText<HTMLSelectElement>('Days').options).toHaveLength(31);
    expect(dialog.getByLabelText<HTMLSelectElement>('Hours').options).toHaveLength(24);
    expect(dialog.getByLabelText<HTMLSelectElement>('Minutes').options).toHaveLength(12);
    await user.selectOptions(dialog.getByLabelText('Hours'), '4');
    expect(dialog.getByText('2 days 4 hours')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Set SLA' }));
    expect(cell('2 days 4 hours')).toBeDefined();
  });

  test.each(['banana', '45 days', '1m'])(
    'the duration %s is named, and not shortened by looking at it',
    async (sla) => {
      const steps = STEPS.map((step, index) => (index === 0 ? { ...step, sla } : step));
      server.on('GET /api/workflows/*/drafts/*', { json: aDraft({ steps }) });
      const { user } = await open();
      const own = screen.getByRole('gridcell', { name: new RegExp(`^${sla}`) });
      expect(own.getAttribute('aria-invalid')).toBe(sla === 'banana' ? 'true' : null);
      await user.click(own);
      const dialog = within(screen.getByRole('dialog', { name: 'Set SLA Duration' }));
      expect(dialog.getByText(new RegExp(`“${sla}” is not`))).toBeDefined();
      await user.click(dialog.getByRole('button', { name: 'Set SLA' }));
      expect(isUnsaved()).toBe(false);
    },
  );

  test('undo in the duration dialog leaves the document alone', async () => {
    const { user } = await open();
    await user.click(cell('Record the name.'));
    await user.keyboard('x{Enter}');
    await user.click(cell('2 days'));
    await user.keyboard('{Control>}z{/Control}');
    expect(isUnsaved()).toBe(true);
  });

  test('a text past the limit stays whole, is flagged, and is not saved', async () => {
    const { user } = await open();
    await user.click(cell('manual: Register the request'));
    fireEvent.change(screen.getByRole('textbox', { name: 'Step 1, name' }), { target: { value: 'x'.repeat(301) } });
    await user.keyboard('{Enter}');
    expect(titles()[0]).toHaveLength(301);
    await user.click(press('Save'));
    const refusals = await screen.findAllByText(/Step 1, step name: at most 300 characters; this has 301/);
    expect(refusals.length).toBeGreaterThan(0);
    expect(server.calls(SAVE)).toHaveLength(0);
  });

  test('leaving a cell by mouse moves nothing under the pointer before the button is up', async () => {
    const { user } = await open();
    await user.click(cell('Record the name.'));
    await user.keyboard('changed');
    await user.pointer({ keys: '[MouseLeft>]', target: cell('Approve, or return it.') });
    expect(screen.queryByRole('row', { name: 'Before the change, step 1' })).toBeNull();
    await user.pointer({ keys: '[/MouseLeft]', target: cell('Approve, or return it.') });
    expect(screen.getByRole('row', { name: 'Before the change, step 1' })).toBeDefined();
    expect(screen.getByRole('textbox', { name: 'Step 2, task' })).toBeDefined();
  });

  test('a click on Save saves the cell that was being typed', async () => {
    const { user } = await open();
    await user.click(cell('Record the name.'));
    await user.keyboard('changed');
    await user.click(press('Save'));
    await waitFor(() =>
      expect(server.calls(SAVE)[0]?.body).toMatchObject({ steps: [{ description: 'changed' }, {}, {}] }),
    );
  });
});

describe('rows', () => {
  test('Alt with an arrow moves a row and says where to', async () => {
    const { user } = await open();
    cell('manual: Register the request').focus();
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    expect(titles()).toEqual(['Compliance review', 'Register the request', 'Tell finance']);
    expect(screen.getByText('Register the request moved to position 2 of 3.')).toBeDefined();
    expect(document.activeElement?.textContent).toContain('Register the request');
  });

  test('a row is duplicated, deleted, and brought back by undo', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Actions for step 2' }));
    await user.click(screen.getByRole('menuitem', { name: 'Duplicate step' }));
    expect(titles()).toEqual(['Register the request', 'Compliance review', 'Compliance review', 'Tell finance']);
    await user.click(screen.getByRole('button', { name: 'Actions for step 1' }));
    await user.click(screen.getByRole('menuitem', { name: 'Delete step' }));
    expect(titles()).toHaveLength(3);
    await user.keyboard('{Control>}zz{/Control}');
    expect(titles()).toEqual(STEPS.map(({ title }) => title));
    expect(isUnsaved()).toBe(false);
    await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
    expect(titles()).toHaveLength(4);
  });

  test('Add Step adds the default step and marks unsaved changes', async () => {
    const { user } = await open();
    await user.click(press('Add Step'));
    expect(titles().at(-1)).toBe('New Step');
    expect(cell('Describe what needs to be done in this step...')).toBeDefined();
    expect(screen.getByText('4 steps')).toBeDefined();
    expect(isUnsaved()).toBe(true);
  });

  test('the grid counts its rows for screen readers', async () => {
    const { user } = await open();
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('4');
    await user.click(cell('Record the name.'));
    await user.keyboard('x{Enter}');
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('5');
  });
});

describe('saving', () => {
  test('a draft is saved at the revision it was loaded at, with its types and a chain of steps', async () => {
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

  test('the live version is saved as a new draft, whose address then stands in the bar', async () => {
    const { user, router } = await open('/app/editor?key=vendor-onboarding&mode=edit');
    await user.type(screen.getByLabelText('Description'), '!');
    await user.click(press('Save'));
    await waitFor(() => expect(router.state.location.search).toContain(`draftId=${DRAFT_ID}`));
    expect(server.calls(DRAFTS)).toHaveLength(1);
    // The same document: nothing was loaded anew, and it can be undone.
    expect(server.calls('GET /api/workflows/*')).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Undo' }).getAttribute('aria-disabled')).toBe('false');
  });

  test('a name is needed', async () => {
    const { user } = await open();
    await user.clear(screen.getByLabelText('Workflow Name'));
    await user.click(press('Save'));
    expect((await screen.findAllByText(/Workflow key and title are required/)).length).toBeGreaterThan(0);
    expect(server.calls(SAVE)).toHaveLength(0);
  });

  test('a failed save keeps what was typed and says why where one is', async () => {
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

  test('what another one saved is not written over without a word', async () => {
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

  test('Keep mine saves over what was saved elsewhere', async () => {
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

describe('a draft that is no longer open', () => {
  const gone = 'This draft is no longer open';
  test.each([
    ['merged', 409, 'already_merged'],
    ['discarded', 404, 'not_found'],
  ])('after it was %s elsewhere, edits are kept as a new draft', async (_, status, code) => {
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

  test('its address opens the workflow as it is now, and says so', async () => {
    server.on('GET /api/workflows/*/drafts/*', { status: 404, json: { error: 'No such draft', code: 'not_found' } });
    await open();
    expect(screen.getByText(/The draft that this address names is no longer there/)).toBeDefined();
  });
});

test('edits of a draft that was discarded elsewhere are offered on the workflow as it is now', async () => {
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

test('with unsaved changes a run can still be asked for, also from the bar of a phone', async () => {
  const { user } = await open();
  await user.type(screen.getByLabelText('Description'), '!');
  expect(screen.getAllByRole('button', { name: 'Start Run' })).toHaveLength(2);
});

test('a save whose answer was lost is no conflict with oneself', async () => {
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

test('saving what is live already makes no draft', async () => {
  const { user } = await open('/app/editor?key=vendor-onboarding&mode=edit');
  await user.click(press('Save'));
  expect(await screen.findByText('Nothing to save')).toBeDefined();
  expect(server.calls(DRAFTS)).toHaveLength(0);
});

test('logging out with unsaved changes asks; Cancel stays signed in', async () => {
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

describe('on the way to live', () => {
  test('a personal account publishes a new workflow with one click: save, submit, merge', async () => {
    const version = aVersion({ status: 'live', version: 1, label: 'v1' });
    server
      .on('GET /api/auth/me', { json: aPersonalUser() })
      .on('GET /api/workflows/*/drafts/*', { json: aDraft({ baseVersion: null }, { publish: true }) })
      .on('POST /api/workflows/*/drafts/*/submit', { json: aVersion({ status: 'in_review' }) })
      .on('POST /api/workflows/*/drafts/*/merge', { json: { version } });
    const { user, router } = await open('/app/editor?key=new&mode=edit&template=approval');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Workflow Name').value).toBe('New Approval Process Workflow');
    expect(isUnsaved()).toBe(false);
    await user.click(press('Publish'));
    expect(await screen.findByText('v1 is live')).toBeDefined();
    expect(screen.getAllByText('Live').length).toBeGreaterThan(0);
    expect(server.requests.filter(({ key }) => !key.startsWith('GET')).map(({ key }) => key.split('/').at(-1))).toEqual(
      ['drafts', 'submit', 'merge'],
    );
    expect(router.state.location.search).toMatch(/^\?key=workflow-\d+&mode=edit$/);
  });

  test('a team submits for review, and can take the draft back', async () => {
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
    expect(await screen.findByText('In Review')).toBeDefined();
    expect(await screen.findByText('Submitted for review')).toBeDefined();
    await user.click(press('Withdraw from review'));
    await waitFor(() => expect(screen.queryByText('In Review')).toBeNull());
  });
});

describe('dialogs', () => {
  test('View Changes is there with unsaved changes, and counts and compares them', async () => {
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

  test('leaving with unsaved changes asks; Cancel stays, Confirm goes', async () => {
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

  test('leaving without unsaved changes goes at once', async () => {
    const { user } = await open();
    await user.click(press('Back'));
    expect(await screen.findByText('Select Workflow')).toBeDefined();
  });

  test('a run needs a saved workflow', async () => {
    const { user } = await open('/app/editor?key=new&mode=edit');
    await user.click(press('Start Run'));
    expect(await screen.findByText('Save the workflow before starting a run')).toBeDefined();
  });

  test('a run needs the changes saved', async () => {
    const { user } = await open();
    await user.type(screen.getByLabelText('Description'), '!');
    await user.click(press('Start Run'));
    expect(await screen.findByText('Please save your workflow before starting a run')).toBeDefined();
    expect(screen.getByText('Unable to start run')).toBeDefined();
  });

  test('Delete asks, and is only for those who may', async () => {
    server
      .on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read', 'draft.edit', 'workflow.archive'] }) })
      .on('DELETE /api/workflows/*', { json: { message: 'Archived', outcome: 'archived' } });
    const { user } = await open();
    await user.click(press('Delete'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Vendor onboarding?' }));
    expect(dialog.getByText('This action cannot be undone.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Workflow Deleted')).toBeDefined();
    expect(await screen.findByText('Select Workflow')).toBeDefined();
  });

  test('who may not delete is not offered it, and settings are coming', async () => {
    const { user } = await open();
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    await user.click(press('Settings'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Coming Soon' }));
    expect(dialog.getByText('Workflow settings will be available in a future update.')).toBeDefined();
  });
});

test('without the right to edit the document is for reading', async () => {
  server.on('GET /api/auth/me', { json: aUser({ orgRole: 'viewer', orgPermissions: ['workflow.read'] }) });
  const { user } = await open();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Move step 1' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Export' })).toBeDefined();
  await user.click(cell('Record the name.'));
  expect(screen.queryByRole('textbox', { name: 'Step 1, task' })).toBeNull();
});

test.each([
  ['nothing to press there is no bar', ['workflow.read'], undefined],
  ['the run alone it is written out', ['workflow.read', 'run.start'], ['Start Run']],
] as const)('at a phone’s foot, with %s', async (_, orgPermissions, words) => {
  server.on('GET /api/auth/me', { json: aUser({ orgRole: 'reviewer', orgPermissions: [...orgPermissions] }) });
  await open();
  const bar = document.querySelector('.save-bar');
  expect(bar && [...bar.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual(words ?? null);
});

test('a workflow that cannot be loaded says so, with a way on', async () => {
  server.on('GET /api/workflows/*', { status: 404, json: { error: 'No such workflow', code: 'not_found' } });
  renderApp('/app/editor?key=gone&mode=edit', { token: aToken() });
  expect(await screen.findByRole('heading', { level: 1, name: 'Failed to load workflow' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeDefined();
});

test('without an organization nothing is loaded', async () => {
  server.on('GET /api/auth/me', { json: aUser({ currentOrgId: null }) });
  renderApp(DRAFT, { token: aToken() });
  expect(await screen.findByText('No organization selected')).toBeDefined();
  expect(server.calls('GET /api/workflows/*/drafts/*')).toHaveLength(0);
});

test('the demo table is the real table, and says that nothing is saved', async () => {
  const { user } = await open('/app/editor?mode=demo');
  expect(screen.getByRole('heading', { name: 'Demo Table' })).toBeDefined();
  expect(screen.getByText(/changes are not saved/)).toBeDefined();
  cell('approval: Final Approval').focus();
  await user.keyboard('Sign{Enter}');
  expect(titles()).toContain('Sign');
  await user.click(screen.getByRole('link', { name: 'Back to the editor' }));
  expect(await screen.findByText('Select Workflow')).toBeDefined();
});

describe('a newcomer', () => {
  beforeEach(() => {
    server
      .on('GET /api/auth/me', { json: aPersonalUser() })
      .on('GET /api/workflows', { json: [] })
      .on('GET /api/runs/summary', { json: { total: 0, byStatus: {} } });
  });
  const line = () => screen.findByRole('region', { name: 'Get started' });

  test('reads in the editor what comes next, from writing to the first run', async () => {
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

  test('hides the line, and the checklist with it', async () => {
    const { user, router } = await open('/app/editor?key=new&mode=edit');
    await user.click(within(await line()).getByRole('button', { name: 'Hide' }));
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
    await router.navigate('/app/editor');
    await screen.findByText('No workflows yet');
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
  });

  test('who has run something is left alone', async () => {
    server
      .on('GET /api/workflows', { json: [aSummary()] })
      .on('GET /api/runs/summary', { json: { total: 1, byStatus: {} } });
    await open();
    await waitFor(() => expect(server.calls('GET /api/runs/summary')).not.toHaveLength(0));
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
  });
});
