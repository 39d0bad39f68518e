import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { aDetail, aDraft, aSummary, DRAFT_ID, STEPS } from '../../features/workflow-editor/testing/workflows.ts';
import { hasUnsavedWork } from '../../lib/unsaved-work.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeRequest, FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const DRAFT = `/app/workflows?builder=edit&key=vendor-onboarding&draftId=${DRAFT_ID}`;
type Body = {
  key: string;
  metadata: { title: string; description: string };
  steps: { id: string; title: string; type: string; next: string[]; config: object }[];
};

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/workflows', { json: [aSummary()] })
    .on('GET /api/organizations/*/users', { json: [] })
    .on('GET /api/organizations/*/common-assignees', { json: [] })
    .on('GET /api/workflow-counts', { json: { total: 1, draft: 0, in_review: 0, live: 1, archived: 0, tags: [] } })
    .on('GET /api/workflows/*', { json: aDetail() })
    .on('GET /api/workflows/*/drafts/*', { json: aDraft() })
    .on('POST /api/workflows/*/drafts', { status: 201, json: { draftId: DRAFT_ID, revision: 1 } })
    .on('PATCH /api/workflows/*/drafts/*', { json: { draftId: DRAFT_ID, revision: 4 } });
});

const open = (address: string) => renderApp(address, { token: aToken() });
const table = () => screen.findByRole('grid', { name: 'Steps' });
const rows = async () =>
  within(await table())
    .queryAllByRole('row')
    .slice(1);
const titles = async () => (await rows()).map((row) => row.querySelector('[data-title]')?.textContent);
const add = (type: string) => screen.getByRole('button', { name: new RegExp(`^Add ${type} step`) });
const bodyOf = (call: FakeRequest | undefined) => call?.body as Body | undefined;
const save = () => screen.getByRole('button', { name: 'Save Workflow' });
const dialog = async () => within(await screen.findByRole('dialog'));

test('shows the table’s columns and, in the footer, the counts and the version', async () => {
  open(DRAFT);
  const heads = within(await table()).getAllByRole('columnheader');
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    '#',
    'Type',
    'Title',
    'Description',
    'SLA',
    'Role',
    'Actions',
  ]);
  expect(await titles()).toEqual(['Register the request', 'Compliance review', 'Tell finance']);
  expect((await rows())[1]?.textContent).toMatch(
    /approval.*Compliance review.*Approve, or return it\..*2 days.*reviewer/,
  );
  const footer = screen.getByRole('button', { name: 'Save Workflow' }).closest('footer')?.textContent;
  expect(footer).toMatch(/3 steps2 connectionsv7/);
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
});

test('a new workflow with all five types is saved with a key from its title', async () => {
  const { user, router } = open('/app/workflows?builder=new');
  await user.type(await screen.findByLabelText('Workflow title'), 'Vendor: onboarding!');
  for (const type of ['manual', 'approval', 'automated', 'condition', 'notification']) await user.click(add(type));
  expect((await rows()).map((row) => row.querySelector('[data-step-type]')?.textContent)).toEqual([
    'manual',
    'approval',
    'automated',
    'condition',
    'notification',
  ]);
  await user.click(save());
  await waitFor(() => expect(server.calls('POST /api/workflows/*/drafts')).toHaveLength(1));
  const [call] = server.calls('POST /api/workflows/*/drafts');
  const body = call?.body as Body;
  expect(call?.path).toBe('/api/workflows/vendor-onboarding/drafts');
  expect(call?.headers.get('if-none-match')).toBe('*');
  expect(body.steps.map(({ type }) => type)).toEqual(['manual', 'approval', 'automated', 'condition', 'notification']);
  expect(body.steps.slice(0, -1).map(({ next }) => next)).toEqual(body.steps.slice(1).map(({ id }) => [id]));
  expect(body.steps[0]).toMatchObject({
    title: 'Untitled Step',
    description: 'No description provided',
    assignee: 'editor',
    sla: '24h',
  });
  expect(await screen.findByText('Workflow saved successfully')).toBeDefined();
  await waitFor(() => expect(router.state.location.search).toContain(`draftId=${DRAFT_ID}`));
  expect(screen.getByRole('button', { name: 'Close', description: '' })).toBeDefined();
});

test('reports missing fields before anything is sent', async () => {
  const { user } = open('/app/workflows?builder=new');
  await table();
  await user.click(save());
  expect(await screen.findAllByText(/Workflow title is required/)).not.toHaveLength(0);
  await user.type(screen.getByLabelText('Workflow title'), 'T');
  await user.click(save());
  expect(await screen.findAllByText(/Workflow must have at least one step/)).not.toHaveLength(0);
  await user.click(add('manual'));
  await user.type(screen.getByLabelText('Workflow key'), 'no spaces?');
  await user.click(save());
  expect(await screen.findAllByText(/A key can only contain letters/)).not.toHaveLength(0);
  expect(server.calls('POST /api/workflows/*/drafts')).toHaveLength(0);
});

test('removes an error once the mistake is corrected', async () => {
  const { user } = open('/app/workflows?builder=new');
  const noted = (text: string) => screen.queryAllByText(text, { exact: false }).length;
  await user.type(await screen.findByLabelText('Workflow key'), '-');
  await user.click(save());
  expect(noted('A key can only contain letters, digits')).toBe(2);
  await user.clear(screen.getByLabelText('Workflow key'));
  expect(noted('A key can only contain letters, digits')).toBe(0);

  await user.click(save());
  expect(noted('Workflow title is required')).toBe(2);
  await user.type(screen.getByLabelText('Workflow title'), 'Audit');
  expect(noted('Workflow title is required')).toBe(0);
  await user.click(save());
  expect(noted('Workflow must have at least one step')).toBe(2);
  await user.click(add('manual'));
  expect(noted('Workflow must have at least one step')).toBe(0);
});

test('keeps the content and shows an error if another workflow uses the key', async () => {
  server.on('POST /api/workflows/*/drafts', {
    status: 409,
    json: { error: 'This workflow key was already used. Choose another one.', code: 'key_taken' },
  });
  const { user } = open('/app/workflows?builder=new');
  await user.type(await screen.findByLabelText('Workflow title'), 'Taken');
  await user.click(add('manual'));
  await user.click(save());
  expect(await screen.findAllByText(/This workflow key was already used\. Choose another one\.$/)).not.toHaveLength(0);
  expect(await rows()).toHaveLength(1);
});

test('rows can be selected, moved and removed with the keyboard and restored with Undo', async () => {
  const { user } = open(DRAFT);
  (await rows())[0]?.focus();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.closest('[role=row]')).toBe((await rows())[1]);
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  expect(await titles()).toEqual(['Compliance review', 'Register the request', 'Tell finance']);
  expect(screen.getByText('Compliance review moved to position 1 of 3.')).toBeDefined();
  await user.keyboard('{Delete}');
  expect(await titles()).toEqual(['Register the request', 'Tell finance']);
  expect(document.activeElement?.closest('[data-step]')?.getAttribute('data-step')).toBe('s1');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await titles()).toEqual(['Register the request', 'Compliance review', 'Tell finance']);
});

test('the step dialog changes a step only when it is saved, and asks before discarding changes', async () => {
  const { user } = open(DRAFT);
  await user.click(within(await table()).getByRole('button', { name: 'Edit step 2' }));
  const title = (await dialog()).getByLabelText<HTMLInputElement>('Title');
  await waitFor(() => expect(document.activeElement).toBe(title));
  await user.clear(title);
  await user.type(title, 'Review it');
  await choose(user, 'admin');
  await user.keyboard('{Escape}');
  expect(await screen.findByText('Discard the changes to this step?')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  await user.click(screen.getByRole('button', { name: 'Save step' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((await rows())[1]?.textContent).toMatch(/Review it.*admin/);
  await user.click(save());
  await waitFor(() => expect(server.calls('PATCH /api/workflows/*/drafts/*')).toHaveLength(1));
  const [call] = server.calls('PATCH /api/workflows/*/drafts/*');
  expect(call?.headers.get('if-match')).toBe('"3"');
  expect(bodyOf(call)?.steps[1]).toMatchObject({ type: 'approval', title: 'Review it', assignee: 'admin' });
});

/** Replaces the names in 'Done by' of the open dialog with this text. */
async function choose(user: UserEvent, text: string): Promise<void> {
  const field = (await dialog()).getByRole('combobox', { name: 'Done by' });
  await user.click(field);
  while ((await dialog()).queryByRole('list', { name: 'Chosen for this step' })) await user.keyboard('{Backspace}');
  await user.type(field, `${text}{Enter}`);
}

test('a step is done by people, groups, roles and the starter of the run, chosen in one field', async () => {
  server.on('GET /api/groups', {
    json: [{ id: 'g', slug: 'finance', name: 'Money', members: [], pendingRemovals: [] }],
  });
  const { user } = open(DRAFT);
  await user.click(within(await table()).getByRole('button', { name: 'Edit step 2' }));
  await choose(user, 'admin');
  const field = (await dialog()).getByRole('combobox', { name: 'Done by' });
  await user.type(field, 'mon');
  await waitFor(() => expect(screen.getByRole('option', { name: /Money/ }).textContent).toContain('group:finance'));
  await user.keyboard('{Enter}');
  await user.type(field, 'starter{Enter}');
  const chosen = (await dialog()).getByRole('list', { name: 'Chosen for this step' });
  expect(
    within(chosen)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['admin', 'Money', 'Run starter']);
  await user.type(field, 'group:legal,');
  expect((await dialog()).getByText(/There is no group:legal/)).toBeDefined();
  await user.keyboard('{Backspace}');
  await user.click(screen.getByRole('button', { name: 'Save step' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(save());
  await waitFor(() => expect(server.calls('PATCH /api/workflows/*/drafts/*')).toHaveLength(1));
  const step = bodyOf(server.calls('PATCH /api/workflows/*/drafts/*')[0])?.steps[1];
  expect(step).toMatchObject({ assignee: 'admin, group:finance, starter' });
});

test('reports an invalid assignee, and accepts the address of someone who isn’t a member', async () => {
  const { user } = open(DRAFT);
  await user.click(within(await table()).getByRole('button', { name: 'Edit step 2' }));
  await choose(user, 'nobody');
  expect(
    (await dialog()).getByText('Please enter a valid email address or system role (system, auto, unassigned)'),
  ).toBeDefined();
  await user.click((await dialog()).getByRole('button', { name: 'Remove nobody' }));
  await choose(user, 'nobody@example.com');
  await user.click(screen.getByRole('button', { name: 'Save step' }));
  await waitFor(async () => expect((await rows())[1]?.textContent).toContain('nobody@example.com'));
});

test('a next step that closes a cycle is reported on the cycle’s steps and prevents saving', async () => {
  const { user } = open(DRAFT);
  await user.click(within(await table()).getByRole('button', { name: 'Edit step 3' }));
  expect((await dialog()).getByText('The workflow ends here.')).toBeDefined();
  await user.selectOptions((await dialog()).getByLabelText('Add a next step'), '1 Register the request');
  await user.click(screen.getByRole('button', { name: 'Save step' }));
  await waitFor(async () => expect((await rows())[2]?.textContent).toContain('→ 1 Register the request'));
  expect((await rows())[0]?.textContent).toContain('Loops back to itself');
  expect(screen.getByRole('button', { name: /problems$/ })).toBeDefined();
  await user.click(save());
  expect(await screen.findAllByText(/Step 1, Register the request: Loops back to itself/)).not.toHaveLength(0);
  expect(server.calls('PATCH /api/workflows/*/drafts/*')).toHaveLength(0);
});

test('view mode allows no change, not even with keys', async () => {
  const { user } = open('/app/workflows?builder=view&key=vendor-onboarding');
  const all = await rows();
  expect(within(await table()).queryByRole('button', { name: 'Remove step 1' })).toBeNull();
  for (const name of ['Save Workflow', 'Undo', 'Add manual step'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Workflow title').readOnly).toBe(true);
  all[0]?.focus();
  await user.keyboard('{Delete}{Alt>}{ArrowDown}{/Alt}');
  expect(await titles()).toEqual(STEPS.map(({ title }) => title));
  all[0]?.focus();
  await user.keyboard('{Enter}');
  const shown = await dialog();
  expect(shown.getByLabelText<HTMLInputElement>('Title').readOnly).toBe(true);
  expect(shown.queryByRole('button', { name: 'Save step' })).toBeNull();
  await user.click(shown.getAllByRole('button', { name: 'Close' })[0] ?? document.body);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('people who can’t edit see the workflow read-only, even at an address for editing', async () => {
  server.on('GET /api/auth/me', { json: aUser({ orgRole: 'viewer', orgPermissions: ['workflow.read'] }) });
  open(DRAFT);
  await table();
  expect(screen.queryByRole('button', { name: 'Save Workflow' })).toBeNull();
});

test('a duplicate is unsaved and has an unused key and its original’s content', async () => {
  server.on('GET /api/workflows', { json: [aSummary(), aSummary({ key: 'vendor-onboarding-copy' })] });
  const { user } = open('/app/workflows?builder=new&duplicate=vendor-onboarding');
  expect((await screen.findByLabelText<HTMLInputElement>('Workflow title')).value).toBe('Vendor onboarding (Copy)');
  expect(screen.getByLabelText<HTMLInputElement>('Workflow key').value).toBe('vendor-onboarding-copy-2');
  expect(screen.getByText('Unsaved changes')).toBeDefined();
  await user.click(save());
  await waitFor(() => expect(server.calls('POST /api/workflows/*/drafts')).toHaveLength(1));
  expect(bodyOf(server.calls('POST /api/workflows/*/drafts')[0])?.steps).toEqual(STEPS);
});

test('asks before leaving with unsaved changes, and stays after Cancel', async () => {
  const { user, router } = open('/app/workflows?builder=new');
  await user.type(await screen.findByLabelText('Workflow title'), 'Half');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('You have unsaved changes. Are you sure you want to go back?')).toBeDefined();
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  expect(router.state.location.search).toBe('?builder=new');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
  expect(await screen.findByRole('heading', { name: 'Workflow Management' })).toBeDefined();
});

test('shows a conflict if another person has saved the draft', async () => {
  server.on('PATCH /api/workflows/*/drafts/*', {
    status: 409,
    json: { error: 'Sam Okafor saved this draft', code: 'stale_revision' },
  });
  const { user } = open(DRAFT);
  await user.type(await screen.findByLabelText('Workflow title'), '!');
  await user.click(save());
  const conflict = within(await screen.findByRole('dialog', { name: 'This draft was saved elsewhere' }));
  expect(conflict.getByText(/Sam Okafor saved this draft/)).toBeDefined();
  expect(conflict.getByRole('button', { name: 'Resolve the conflict' })).toBeDefined();
});

test('offers to restore a new workflow that was never saved', async () => {
  const { user, unmount } = open('/app/workflows?builder=new');
  await user.type(await screen.findByLabelText('Workflow title'), 'Half built');
  unmount();
  open('/app/workflows?builder=new');
  await user.click(await screen.findByRole('button', { name: 'Restore unsaved changes' }));
  expect(screen.getByLabelText('Workflow title')).toHaveProperty('value', 'Half built');
});

test('opens the current workflow if the draft no longer exists', async () => {
  server.on('GET /api/workflows/*/drafts/*', { status: 404, json: { error: 'No such draft', code: 'not_found' } });
  open(DRAFT);
  expect(await screen.findByText(/The draft at this address no longer exists/)).toBeDefined();
  expect(await rows()).not.toHaveLength(0);
});

test('keeps a description’s line breaks, whether it is edited or not', async () => {
  const description = 'From first request\n\nto a vendor who can be paid.';
  server.on('GET /api/workflows/*/drafts/*', {
    json: aDraft({ metadata: { title: 'Vendor onboarding', description } }),
  });
  const { user } = open(DRAFT);
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Workflow description');
  expect(field.value).toBe(description);
  await user.type(screen.getByLabelText('Workflow title'), '!');
  await user.click(save());
  await waitFor(() => expect(server.calls('PATCH /api/workflows/*/drafts/*')).toHaveLength(1));
  await user.type(field, '{Enter}In days.');
  await user.click(save());
  await waitFor(() => expect(server.calls('PATCH /api/workflows/*/drafts/*')).toHaveLength(2));
  const sent = server.calls('PATCH /api/workflows/*/drafts/*').map((call) => bodyOf(call)?.metadata);
  expect(sent).toMatchObject([{ description }, { description: `${description}\nIn days.` }]);
});

const openStep = async (user: { click: (element: Element) => Promise<void> }, number: number) => {
  await user.click(within(await table()).getByRole('button', { name: `Edit step ${number}` }));
  return dialog();
};

test('input in an open dialog counts as unsaved: leaving asks, and it can be restored', async () => {
  const { user, router, unmount } = open(DRAFT);
  const shown = await openStep(user, 1);
  await user.type(shown.getByLabelText('Title'), ' today');
  expect(hasUnsavedWork()).toBe(true);
  await act(() => router.navigate('/app/workflows'));
  expect(await screen.findByText('You have unsaved changes. Are you sure you want to go back?')).toBeDefined();
  unmount();
  open(DRAFT);
  await user.click(await screen.findByRole('button', { name: 'Restore unsaved changes' }));
  expect(await titles()).toEqual(['Register the request today', 'Compliance review', 'Tell finance']);
});

test('discarding the changes of a dialog leaves no unsaved work', async () => {
  const { user } = open(DRAFT);
  await user.type((await openStep(user, 1)).getByLabelText('Title'), '!');
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(hasUnsavedWork()).toBe(false));
});

test('doesn’t save a step with invalid fields and focuses the first of them', async () => {
  const { user } = open(DRAFT);
  const approval = await openStep(user, 2);
  const least = approval.getByLabelText('Minimum approvers');
  await user.clear(least);
  await user.type(least, '0{Enter}');
  expect(document.activeElement).toBe(least);
  expect(screen.getByRole('dialog')).toBeDefined();
  await user.clear(least);
  await user.type(least, '2{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  const manual = await openStep(user, 1);
  await user.click(manual.getByRole('button', { name: 'Add field' }));
  await user.click(manual.getByRole('button', { name: 'Save step' }));
  expect(document.activeElement).toBe(manual.getByLabelText('Label'));
  expect(manual.getByText('Enter a label for the field')).toBeDefined();
  await user.type(manual.getByLabelText('Label'), 'Amount');
  await user.selectOptions(manual.getByLabelText('Kind'), 'Choice');
  await user.click(manual.getByRole('button', { name: 'Save step' }));
  expect(document.activeElement).toBe(manual.getByLabelText('Options, one per line'));
  await user.type(manual.getByLabelText('Options, one per line'), 'Little');
  await user.click(manual.getByRole('button', { name: 'Save step' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  const notification = await openStep(user, 3);
  await user.type(await notification.findByLabelText('Recipients, one per line'), 'nobody at all');
  await user.click(notification.getByRole('button', { name: 'Save step' }));
  expect(document.activeElement).toBe(notification.getByLabelText('Recipients, one per line'));
});

test('saves a step and opens the one below', async () => {
  const { user } = open(DRAFT);
  const first = await openStep(user, 1);
  await user.clear(first.getByLabelText('Title'));
  await user.type(first.getByLabelText('Title'), 'Receive');
  await user.click(first.getByRole('button', { name: 'Save and next' }));
  const second = await dialog();
  await waitFor(() => expect(second.getByLabelText<HTMLInputElement>('Title').value).toBe('Compliance review'));
  await waitFor(() => expect(document.activeElement).toBe(second.getByLabelText('Title')));
  await user.clear(second.getByLabelText('Minimum approvers'));
  await user.click(second.getByRole('button', { name: 'Save and next' }));
  expect(document.activeElement).toBe(second.getByLabelText('Minimum approvers'));
  await user.type(second.getByLabelText('Minimum approvers'), '2');
  await user.click(second.getByRole('button', { name: 'Save and next' }));
  const last = await dialog();
  await waitFor(() => expect(last.getByLabelText<HTMLInputElement>('Title').value).toBe('Tell finance'));
  expect(last.queryByRole('button', { name: 'Save and next' })).toBeNull();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await titles()).toEqual(['Receive', 'Compliance review', 'Tell finance']);
  expect(document.activeElement?.closest('[data-step]')).toBe((await rows())[2]);
});

test('reports an invalid form on its step and when saving', async () => {
  const bad = { id: 'amount', label: '', kind: 'text' as const, required: false };
  const [first, ...others] = STEPS;
  if (first?.type !== 'manual') throw new Error('the first step is not manual');
  server.on('GET /api/workflows/*/drafts/*', {
    json: aDraft({ steps: [{ ...first, config: { fields: [bad] } }, ...others] }),
  });
  const { user } = open(DRAFT);
  expect((await rows())[0]?.textContent).toContain('Form field 1: Enter a label for the field');
  await user.type(screen.getByLabelText('Workflow title'), '!');
  await user.click(save());
  expect(await screen.findAllByText(/Step 1, Register the request: Form field 1/)).not.toHaveLength(0);
  expect(server.calls('PATCH /api/workflows/*/drafts/*')).toHaveLength(0);
});

test('an approval step offers no choice whether it requires approval, and keeps the stored value', async () => {
  const [first, second, ...others] = STEPS;
  if (!first || second?.type !== 'approval') throw new Error('the second step is not an approval');
  const stored = { ...second, config: { ...second.config, requiresApproval: false } };
  server.on('GET /api/workflows/*/drafts/*', { json: aDraft({ steps: [first, stored, ...others] }) });
  const { user } = open(DRAFT);
  const shown = await openStep(user, 2);
  const minimum = await shown.findByLabelText('Minimum approvers');
  expect(shown.queryByRole('checkbox', { name: 'Requires approval' })).toBeNull();
  await user.clear(minimum);
  await user.type(minimum, '2');
  await user.click(shown.getByRole('button', { name: 'Save step' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(save());
  await waitFor(() => expect(server.calls('PATCH /api/workflows/*/drafts/*')).toHaveLength(1));
  const [call] = server.calls('PATCH /api/workflows/*/drafts/*');
  expect(bodyOf(call)?.steps[1]).toMatchObject({ config: { minimumApprovers: 2, requiresApproval: false } });
});

test('Ctrl+S in the step dialog doesn’t open the browser’s Save dialog', async () => {
  const { user } = open(DRAFT);
  const title = (await openStep(user, 1)).getByLabelText('Title');
  expect(fireEvent.keyDown(title, { key: 's', ctrlKey: true })).toBe(false);
  expect(server.calls('PATCH /api/workflows/*/drafts/*')).toHaveLength(0);
});

test('an untitled step has a placeholder wherever a step can be chosen', async () => {
  server.on('GET /api/workflows/*/drafts/*', {
    json: aDraft({ steps: STEPS.map((step, at) => (at === 0 ? { ...step, title: ' ' } : step)) }),
  });
  const { user } = open(DRAFT);
  const shown = await openStep(user, 2);
  // One option is for the target of a rejection, the other for the next step.
  expect(shown.getAllByRole('option', { name: '1 Untitled Step' })).toHaveLength(2);
});

test('Start Run in the table asks for a name first', async () => {
  const { user, router } = open('/app/workflows?builder=edit&key=vendor-onboarding&view=table');
  const [button] = await screen.findAllByRole('button', { name: 'Start Run' });
  if (!button) throw new Error('no Start Run');
  await user.click(button);
  expect((await dialog()).getByRole('button', { name: 'Start Run' })).toBeDefined();
  expect(router.state.location.pathname).toBe('/app/workflows');
  expect(server.calls('POST /api/runs')).toEqual([]);
});

test('an archived workflow is read-only even at an address for editing', async () => {
  server.on('GET /api/workflows/*', { json: aDetail({ status: 'archived' }) });
  open('/app/workflows?builder=edit&key=vendor-onboarding');
  await table();
  expect(screen.getByText('Archived')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Save Workflow' })).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Workflow title').readOnly).toBe(true);
});

test.each(['?builder=new', '?builder=new&duplicate=vendor-onboarding'])(
  'redirects people who can’t create a workflow from %s to the list and shows a message',
  async (query) => {
    server.on('GET /api/auth/me', { json: aUser({ orgRole: 'reviewer', orgPermissions: ['workflow.read'] }) });
    const { router } = open(`/app/workflows${query}`);
    expect(await screen.findByText('You can’t create workflows')).toBeDefined();
    await waitFor(() => expect(router.state.location.search).toBe(''));
    expect(await screen.findByRole('heading', { name: 'Workflow Management' })).toBeDefined();
  },
);

test('three rapid clicks save once', async () => {
  const { user } = open('/app/workflows?builder=new');
  await user.type(await screen.findByLabelText('Workflow title'), 'Once');
  await user.click(add('manual'));
  const button = save();
  act(() => {
    for (let click = 0; click < 3; click++) button.click();
  });
  expect(await screen.findByText('Workflow saved successfully')).toBeDefined();
  expect(server.calls('POST /api/workflows/*/drafts')).toHaveLength(1);
});
