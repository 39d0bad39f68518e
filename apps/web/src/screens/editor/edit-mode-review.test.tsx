import { act, screen, waitFor, within } from '@testing-library/react';
import type { Comment } from '@stet/contract';
import { beforeEach, expect, test } from 'vitest';
import { aDetail, aDraft, aVersion, DRAFT_ID, STEPS } from '../../features/workflow-editor/testing/workflows.ts';
import { serveEvents } from '../../testing/fake-events.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { cell, open, press, startEditServer } from './edit-mode.fixture.ts';

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
      objections: [{ reviewer: JONAS, comment: 'Name the form.', at: AT, carried: false, abandoned: false }],
      blockers: [{ code: 'out_of_date', sentence: '', hint: '' }],
    }),
  });
  await open();
  expect(screen.getByText('Draft by Jonas Weber')).toBeDefined();
  const note = screen.getByText('Jonas Weber requested changes:').closest<HTMLElement>('.note');
  expect(note?.textContent).toContain('Name the form.');
  expect(within(note ?? document.body).getByRole('link', { name: 'Open review' })).toBeDefined();
  expect(screen.getByText(/v8 went live after this draft was created/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Bring the draft up to date' })).toBeDefined();
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

test('marks what differs from the live version, not only what isn’t saved', async () => {
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
  const link = screen.getByRole('link', { name: 'Open it' });
  expect(link.getAttribute('href')).toContain(DRAFT_ID);
});

test('counts the people who have the same draft open', async () => {
  const events = serveEvents(server);
  await open();
  await waitFor(() => expect(events.open()).toBe(1));
  const people = [
    { id: 'u1', name: 'Priya Nair' },
    { id: 'u2', name: 'Jonas Weber' },
  ];
  act(() => events.say('presence', { runId: DRAFT_ID, people }));
  expect(await screen.findByText('2 people here')).toBeDefined();
  expect(screen.getByText(/Priya Nair.*, .*Jonas Weber/)).toBeDefined();
  act(() => events.say('presence', { runId: DRAFT_ID, people: people.slice(0, 1) }));
  await waitFor(() => expect(screen.queryByText(/people here/)).toBeNull());
});
