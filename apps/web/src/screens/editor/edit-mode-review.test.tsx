import { act, screen, waitFor, within } from '@testing-library/react';
import type { Comment } from '@stet/contract';
import { beforeEach, expect, test } from 'vitest';
import { aDetail, aDraft, aVersion, DRAFT_ID, STEPS } from '../../features/workflow-editor/testing/workflows.ts';
import { serveEvents } from '../../testing/fake-events.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aUser } from '../../testing/records.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { DRAFTS, cell, isUnsaved, open, press, startEditServer } from './edit-mode.fixture.ts';

cleanUpAfterEach();

const JONAS = { id: '0199aaaa-0000-7000-8000-0000000000b2', name: 'Jonas Weber', email: 'jonas@haldenworks.example' };
const AT = '2026-11-18T13:05:00.000Z';
const LIVE = '/app/editor?key=vendor-onboarding&mode=edit';

const comment = (id: string, stepId: string | null, resolvedAt: string | null = null): Comment => ({
  id,
  author: JONAS,
  body: `Comment ${id}`,
  mentions: [],
  stepId,
  at: AT,
  resolvedAt,
  resolvedBy: null,
});

let server: FakeServer;
beforeEach(() => {
  server = startEditServer();
});

test('marks a live workflow as an unsaved draft from the first keystroke', async () => {
  const { user } = await open(LIVE);
  expect(screen.getByText('Live')).toBeDefined();
  await user.type(screen.getByLabelText('Description'), '!');
  expect(screen.getByText('Draft (not saved)')).toBeDefined();
  await user.click(press('Undo'));
  expect(screen.queryByText('Draft (not saved)')).toBeNull();
});

test('shows whose draft it is, what reviewers requested, and that another version went live', async () => {
  server.on('GET /api/workflows/*/drafts/*', {
    json: aDraft({
      createdBy: JONAS,
      contributors: [],
      liveVersion: 8,
      objections: [
        { reviewer: JONAS, delegate: null, comment: 'Name the form.', at: AT, carried: false, abandoned: false },
      ],
      blockers: [{ code: 'out_of_date', sentence: '', hint: '' }],
    }),
  });
  await open();
  expect(screen.getByText('Draft by Jonas Weber')).toBeDefined();
  const note = screen.getByText('Jonas Weber requested changes:').closest<HTMLElement>('[role="status"]');
  expect(note?.textContent).toContain('Name the form.');
  expect(within(note ?? document.body).getByRole('link', { name: 'Open review' })).toBeDefined();
  expect(screen.getByText(/v8 is live now, but this draft isn’t based on it/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Bring the draft up to date' })).toBeDefined();
});

test('says who can bring an outdated draft up to date to someone who can’t edit it', async () => {
  server
    .on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read'] }) })
    .on('GET /api/workflows/*/drafts/*', {
      json: aDraft({ liveVersion: 8, blockers: [{ code: 'out_of_date', sentence: '', hint: '' }] }),
    });
  await open();
  expect(screen.getByText(/Someone who can edit the draft has to bring it up to date/)).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Bring the draft up to date' })).toBeNull();
});

test('shows open comments at their step and in its pane', async () => {
  server.on('GET /api/workflows/*/drafts/*', {
    json: aDraft({
      comments: [comment('one', 's2'), comment('two', 's2'), comment('three', 's1', AT), comment('four', null)],
    }),
  });
  const { user } = await open();
  expect(cell('approval: Compliance review 2 open comments')).toBeDefined();
  expect(screen.getAllByText(/open comment/)).toHaveLength(2);
  expect(screen.getByText(/1 open comment on the whole draft/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Actions for step 2' }));
  await user.click(await screen.findByRole('menuitem', { name: /details/i }));
  const pane = await screen.findByRole('complementary', { name: 'Step 2' });
  expect(pane.textContent).toContain('Comment one');
  expect(pane.textContent).toContain('Comment two');
});

test('marks differences from the version that the draft is based on, even if they are saved', async () => {
  const [first, ...others] = STEPS;
  if (!first) throw new Error('no steps');
  server.on('GET /api/workflows/*/versions/*', {
    json: {
      ...aVersion({ status: 'live', version: 7 }),
      ...aDetail(),
      steps: [{ ...first, sla: '8 hours' }, ...others],
    },
  });
  await open();
  const before = await screen.findByRole('row', { name: /^Before the change/ });
  expect(before.textContent).toContain('8 hours');
  expect(screen.queryByText('Unsaved changes')).toBeNull();
});

test('says that someone else has an open draft of the workflow', async () => {
  server.on('GET /api/workflows/*/versions', {
    json: [aVersion({ createdBy: JONAS }), aVersion({ id: 'live', status: 'live', version: 7 })],
  });
  await open(LIVE);
  await waitFor(() =>
    expect(screen.getByText(/has another open draft of this workflow/).textContent).toContain('Jonas Weber'),
  );
  const link = screen.getByRole('link', { name: /^Open\sit$/ });
  expect(link.getAttribute('href')).toContain(DRAFT_ID);
});

test('counts the people who have the same draft open', async () => {
  const events = serveEvents(server);
  await open();
  await waitFor(() => expect(events.openStreams()).toBe(1));
  const people = [
    { id: 'u1', name: 'Priya Nair' },
    { id: 'u2', name: 'Jonas Weber' },
  ];
  act(() => events.send('presence', { runId: DRAFT_ID, people }));
  expect(await screen.findByText('2 people here')).toBeDefined();
  expect(screen.getByText(/Priya Nair.*, .*Jonas Weber/)).toBeDefined();
  act(() => events.send('presence', { runId: DRAFT_ID, people: people.slice(0, 1) }));
  await waitFor(() => expect(screen.queryByText(/people here/)).toBeNull());
});

const V7 = '0199eeee-0000-7000-8000-000000000007';
const V8 = '0199eeee-0000-7000-8000-000000000008';
async function openLive() {
  server.on('GET /api/workflows/*/versions', { json: [aVersion({ id: V7, status: 'live', version: 7, label: 'v7' })] });
  const events = serveEvents(server);
  const { user } = await open(LIVE);
  await waitFor(() => expect(events.openStreams()).toBe(1));
  return { user, onPublished: () => act(() => events.send('changed', { subject: 'version', id: V8 })) };
}
/** Another person publishes v8 with a different SLA. */
function publishV8(): void {
  const [first, ...others] = STEPS;
  if (!first) throw new Error('no steps');
  server
    .on('GET /api/workflows/*/versions', {
      json: [
        aVersion({ id: V8, status: 'live', version: 8, label: 'v8' }),
        aVersion({ id: V7, status: 'superseded', version: 7, label: 'v7' }),
      ],
    })
    .on('GET /api/workflows/*', {
      json: aDetail({ version: { number: 8, id: V8 }, steps: [{ ...first, sla: '3 days' }, ...others] }),
    });
}

test('another version that goes live while the live version is open is announced and can be shown', async () => {
  const { user, onPublished } = await openLive();
  publishV8();
  onPublished();
  await user.click(await screen.findByRole('button', { name: 'Show v8' }));
  await waitFor(() => expect(cell('3 days')).toBeDefined());
  expect(screen.queryByText(/went live after you opened/)).toBeNull();
  expect(isUnsaved()).toBe(false);
});

test('unsaved changes are compared with a version that went live meanwhile, and both can be merged', async () => {
  const { user, onPublished } = await openLive();
  await user.type(screen.getByLabelText('Description'), '!');
  publishV8();
  onPublished();
  await user.click(await screen.findByRole('button', { name: 'Compare it with your changes' }));
  await user.click(await screen.findByRole('button', { name: 'Resolve the conflict' }));
  await user.click(await screen.findByRole('button', { name: 'Use merged version' }));
  expect(cell('3 days')).toBeDefined();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Description').value).toMatch(/!$/);
  await user.click(press('Save'));
  await waitFor(() => expect(server.calls(DRAFTS)).toHaveLength(1));
  expect(server.calls(DRAFTS)[0]?.body).toMatchObject({ liveVersionId: V8, steps: [{ sla: '3 days' }, {}, {}] });
});

test('a save doesn’t overwrite a version that went live unnoticed', async () => {
  const { user } = await openLive();
  await user.type(screen.getByLabelText('Description'), '!');
  publishV8();
  server.on(DRAFTS, {
    status: 409,
    json: { error: 'Another version went live in the meantime', code: 'live_changed', details: [] },
  });
  await user.click(press('Save'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Another version is live' }));
  expect(server.calls(DRAFTS)[0]?.body).toMatchObject({ liveVersionId: V7 });
  server.on(DRAFTS, { status: 201, json: { draftId: DRAFT_ID, revision: 1 } });
  await user.click(dialog.getByRole('button', { name: 'Save as a new draft' }));
  await waitFor(() => expect(server.calls(DRAFTS)[1]?.body).toMatchObject({ liveVersionId: V8 }));
});
