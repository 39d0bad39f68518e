import type { RunStep } from '@stet/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { aConfirmation } from '../../testing/confirmations.ts';
import { serveEvents } from '../../testing/fake-events.ts';
import type { FakeEvents } from '../../testing/fake-events.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { anOwner } from '../../testing/people.ts';
import { aReviewTask, aRun, aTask, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const WHEN = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const ASSESS = aTask({ dueAt: WHEN(-1), now: Date.now() });
const REVIEW = aTask({ stepId: 'review', title: 'Compliance review', type: 'approval', dueAt: null, waitsFor: 'role' });
let server: FakeServer;
let events: FakeEvents;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/tasks', { json: [ASSESS, REVIEW] })
    .on('GET /api/tasks/count', { json: { count: 2, overdue: 1, nextDueAt: ASSESS.dueAt } })
    .on('GET /api/runs/*', { json: aRun() });
  events = serveEvents(server);
});

const openTasks = () => renderApp('/app/tasks', { token: aToken() });
const task = (name: RegExp) => screen.findByRole('button', { name });

test('groups tasks by urgency and shows their number in the navigation', async () => {
  openTasks();
  expect(within(await screen.findByRole('region', { name: 'Breached' })).getByText('Assess risk tier')).toBeDefined();
  expect(within(screen.getByRole('region', { name: 'No SLA' })).getByText('Compliance review')).toBeDefined();
  expect(screen.getByText('2 tasks waiting for you, soonest first')).toBeDefined();
  const main = within(screen.getByRole('navigation', { name: 'Main' }));
  await waitFor(() => expect(main.getByRole('link', { name: /My tasks/ }).textContent).toMatch(/^My tasks2/));
});

test('shows only the tasks of one workflow, and downloads the listed ones as a CSV file', async () => {
  const blobs: Blob[] = [];
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}`,
      revokeObjectURL: () => undefined,
    }),
  );
  server
    .on('GET /api/workflows', { json: [{ key: 'hiring', metadata: { title: 'Hiring' }, version: null }] })
    .on('GET /api/tasks', ({ query }) => ({ json: query.get('workflow') === 'hiring' ? [] : [ASSESS] }));
  const { user, router } = openTasks();
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  expect(await screen.findByText('1 line')).toBeDefined();
  const [head, line] = (await blobs[0]?.text())?.split('\r\n') ?? [];
  expect(head).toMatch(/^"Step","Type","Run","Workflow"/);
  expect(line).toMatch(/^"Assess risk tier","manual"/);

  await user.selectOptions(screen.getByRole('combobox', { name: 'Workflow' }), 'Hiring');
  expect(await screen.findByText('No tasks match these filters.')).toBeDefined();
  expect(router.state.location.search).toBe('?workflow=hiring');
  await user.click(screen.getByRole('button', { name: 'Show all tasks' }));
  expect(await task(/Assess risk tier/)).toBeDefined();
});

test('shows the delegator of a delegated task', async () => {
  const onBehalfOf = { id: '0199aaaa-0000-7000-8000-0000000000f1', name: 'Mara Lindqvist', email: 'mara@x.example' };
  server.on('GET /api/tasks', { json: [aTask({ onBehalfOf })] });
  openTasks();
  expect((await task(/Assess risk tier/)).textContent).toMatch(/For .*Mara Lindqvist/);
});

test('uses the server’s clock to decide which tasks are overdue, even if the browser’s is wrong', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const noon = new Date(2026, 10, 20, 12).getTime();
  vi.setSystemTime(noon + 3 * 3_600_000);
  const dueAt = new Date(noon + 3_600_000).toISOString();
  server.on('GET /api/tasks', { json: [aTask({ dueAt, slaState: 'on_track', now: noon })] });
  const { user } = openTasks();
  const today = within(await screen.findByRole('region', { name: 'Due today' }));
  expect(today.getByText(/^in (1 h|59 min)$/)).toBeDefined();
  expect(screen.queryByRole('region', { name: 'Breached' })).toBeNull();
  await user.click(await task(/Assess risk tier/));
  const pane = within(await screen.findByRole('complementary', { name: 'Task Assess risk tier' }));
  expect(pane.getByText(/^due in (1 h|59 min)$/)).toBeDefined();
});

test('completes a task in place and selects the next one', async () => {
  server.on('POST /api/runs/*/complete', { json: aRun() });
  const { user } = openTasks();
  await user.click(await task(/Assess risk tier/));
  const pane = within(await screen.findByRole('complementary', { name: 'Task Assess risk tier' }));
  const active = aRun().steps.find(({ id }) => id === 'assess');
  expect(active?.abilities.complete).toBe(true);
  await user.type(await pane.findByRole('textbox', { name: 'Your input' }), 'Tier 2');
  await user.click(pane.getByRole('button', { name: 'Complete' }));
  expect(await screen.findByText('Step Completed')).toBeDefined();
  expect(server.calls('POST /api/runs/*/complete')[0]?.body).toEqual({ stepId: 'assess', output: { text: 'Tier 2' } });
  expect(screen.getByText('Assess risk tier. Next: Compliance review')).toBeDefined();
  const next = within(await screen.findByRole('complementary', { name: 'Task Compliance review' }));
  await waitFor(() => expect(document.activeElement).toBe(next.getByRole('heading', { name: 'Compliance review' })));
});

const withStep = (id: string, change: Partial<RunStep>) =>
  aRun({ steps: aRun().steps.map((step) => (step.id === id ? { ...step, ...change } : step)) });

describe('a step whose photo is still being uploaded', () => {
  const photo = { fileId: 'photo', sha256: 'a'.repeat(64), size: 5, name: 'pier.png', mediaType: 'image/png' };
  const open = async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    server
      .on('GET /api/runs/*', {
        json: withStep('assess', {
          fields: [
            { id: 'photo', label: 'Photo', kind: 'photo', required: true },
            { id: 'site', label: 'Site', kind: 'text', required: false },
          ],
        }),
      })
      .on('POST /api/files', { status: 201, json: { id: 'photo', chunkSize: 262_144, chunks: [] } })
      .on('POST /api/files/*/chunks/*', { json: { stored: 0 } })
      .on('POST /api/files/*/complete', async () => {
        await finished;
        return { json: photo };
      })
      .on('POST /api/runs/*/complete', { json: aRun() });
    const { user } = openTasks();
    await user.click(await task(/Assess risk tier/));
    const pane = within(await screen.findByRole('complementary', { name: 'Task Assess risk tier' }));
    await user.upload(
      await pane.findByLabelText('Choose photos: Photo'),
      new File(['bytes'], 'pier.png', { type: 'image/png' }),
    );
    await user.click(pane.getByRole('button', { name: 'Complete' }));
    expect(await pane.findByRole('button', { name: 'Completing once the files are uploaded…' })).toBeDefined();
    expect(server.calls('POST /api/runs/*/complete')).toHaveLength(0);
    return { user, pane, finish };
  };

  test('is completed once the photo is uploaded', async () => {
    const { finish } = await open();
    finish();
    expect(await screen.findByText('Step Completed')).toBeDefined();
    expect(server.calls('POST /api/runs/*/complete')[0]?.body).toMatchObject({
      output: { fields: { photo: [photo] } },
    });
  });

  test('waits for another click if the input changes meanwhile', async () => {
    const { user, pane, finish } = await open();
    await user.type(pane.getByRole('textbox', { name: /^Site/ }), 'Pier 4');
    finish();
    expect(await pane.findByText('pier.png is uploaded')).toBeDefined();
    expect(pane.getByRole('button', { name: 'Complete' })).toBeDefined();
    expect(server.calls('POST /api/runs/*/complete')).toHaveLength(0);
  });
});

test('asks before completing another person’s step for them', async () => {
  const helping = withStep('assess', { actsFor: 'helper', assignedTo: 'Reviewer' });
  server.on('GET /api/runs/*', { json: helping }).on('POST /api/runs/*/complete', { json: aRun() });
  const { user } = openTasks();
  await user.click(await task(/Assess risk tier/));
  const pane = within(await screen.findByRole('complementary', { name: 'Task Assess risk tier' }));
  await user.type(await pane.findByRole('textbox', { name: 'Your input' }), 'Tier 2');
  await user.click(pane.getByRole('button', { name: 'Complete' }));
  const dialog = within(
    await screen.findByRole('dialog', { name: 'This step is assigned to Reviewer. Complete it for them?' }),
  );
  expect(server.calls('POST /api/runs/*/complete')).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Complete' }));
  await waitFor(() => expect(server.calls('POST /api/runs/*/complete')).toHaveLength(1));
});

test('reports that the step in the pane is already completed', async () => {
  server.on('GET /api/runs/*', { json: withStep('assess', { state: 'completed' }) });
  const { user } = openTasks();
  await user.click(await task(/Assess risk tier/));
  expect(await screen.findByText('This step is no longer waiting. Updating the list…')).toBeDefined();
});

test('shows how many people have agreed to a skip and offers no retry', async () => {
  const vote = {
    by: { id: 'me', name: 'Me', email: null, kind: 'user' as const },
    at: WHEN(0),
    reason: 'No',
    marks: [],
    addedBy: null,
  };
  const abilities = {
    complete: false,
    approve: true,
    reject: true,
    skip: true,
    retry: false,
    claim: false,
    release: false,
    handOver: false,
  };
  const skip = { required: 2, votes: [] };
  server
    .on('GET /api/runs/*', { json: withStep('review', { state: 'active', abilities, skip }) })
    .on('POST /api/runs/*/steps/review/skip', {
      json: { message: '1 of 2', run: withStep('review', { state: 'active', skip: { ...skip, votes: [vote] } }) },
    });
  const { user } = openTasks();
  await user.click(await task(/Compliance review/));
  const pane = within(await screen.findByRole('complementary', { name: 'Task Compliance review' }));
  expect(pane.queryByRole('button', { name: /retry/i })).toBeNull();
  await user.click(await pane.findByRole('button', { name: 'Skip' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Skip Compliance review?' }));
  await user.type(dialog.getByLabelText('Reason'), 'Not needed');
  await user.click(dialog.getByRole('button', { name: 'Agree to skip' }));
  expect(await screen.findByText('1 of 2 have agreed to skip')).toBeDefined();
});

test('closing the pane returns the focus to its task', async () => {
  const { user } = openTasks();
  const row = await task(/Assess risk tier/);
  await user.click(row);
  await user.click(await screen.findByRole('button', { name: /^Clear selection/ }));
  await waitFor(() => expect(document.activeElement).toBe(row));
});

test('shows a refusal in the pane and keeps the text', async () => {
  server.on('POST /api/runs/*/complete', { status: 409, json: { error: 'This run is paused', code: 'run_paused' } });
  const { user } = openTasks();
  await user.click(await task(/Assess risk tier/));
  const pane = within(await screen.findByRole('complementary', { name: 'Task Assess risk tier' }));
  await user.type(await pane.findByRole('textbox', { name: 'Your input' }), 'Tier 2');
  await user.click(pane.getByRole('button', { name: 'Complete' }));
  expect(await pane.findByText('This run is paused')).toBeDefined();
  expect(pane.getByDisplayValue('Tier 2')).toBeDefined();
});

test('arrow keys move between tasks, and Enter opens the run', async () => {
  const { user, router } = openTasks();
  await user.click(await task(/Assess risk tier/));
  await user.keyboard('{ArrowDown}');
  expect(await screen.findByRole('complementary', { name: 'Task Compliance review' })).toBeDefined();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe(`/app/runs/${REVIEW.runId}`));
});

test('removes a task that someone else has completed', async () => {
  openTasks();
  await task(/Assess risk tier/);
  await waitFor(() => expect(events.openStreams()).toBe(1));
  server.on('GET /api/tasks', { json: [REVIEW] });
  server.on('GET /api/tasks/count', { json: { count: 1, overdue: 0, nextDueAt: null } });
  act(() => events.send('changed', { subject: 'run', id: ASSESS.runId }));
  await waitFor(() => expect(screen.queryByText('Assess risk tier')).toBeNull());
  expect(await screen.findByText('1 task waiting for you')).toBeDefined();
});

test('shows messages for an empty list and for a failed load', async () => {
  server
    .on('GET /api/tasks', { json: [] })
    .on('GET /api/tasks/count', { json: { count: 0, overdue: 0, nextDueAt: null } });
  const first = openTasks();
  expect((await screen.findAllByText('You’re all caught up.')).length).toBeGreaterThan(0);
  first.unmount();
  server.on('GET /api/tasks', {
    status: 500,
    json: { error: 'Something went wrong. Nothing was changed.', code: 'internal' },
  });
  openTasks();
  expect(within(await screen.findByRole('alert')).getByText('Error loading tasks')).toBeDefined();
});

test('an owner sees the changes they can confirm above their tasks', async () => {
  const other = { id: '0199aaaa-0000-7000-8000-0000000000d2', sentence: 'A time zone further west' };
  server
    .on('GET /api/auth/me', { json: anOwner() })
    .on('GET /api/tasks', { json: [] })
    .on('GET /api/tasks/reviews', { json: [] })
    .on('GET /api/tasks/reviews/count', { json: { count: 0 } })
    .on('GET /api/confirmations', { json: [aConfirmation(), aConfirmation(other, { confirm: false })] });
  openTasks();
  const part = within(await screen.findByRole('region', { name: 'Waiting for a second person' }));
  expect(part.getByRole('button', { name: 'Confirm this person: Sam Okafor may review' })).toBeDefined();
  expect(part.queryByText('A time zone further west')).toBeNull();
  expect(screen.queryByText('You’re all caught up.')).toBeNull();
});

test('people who can’t confirm anything don’t see the changes to confirm', async () => {
  server
    .on('GET /api/auth/me', { json: anOwner() })
    .on('GET /api/tasks/reviews', { json: [] })
    .on('GET /api/confirmations', {
      json: [aConfirmation({}, { confirm: false, refuse: false })],
    });
  openTasks();
  await task(/Assess risk tier/);
  expect(screen.queryByRole('region', { name: 'Waiting for a second person' })).toBeNull();
});

describe('a reviewer’s list', () => {
  const HIRING = aReviewTask();
  beforeEach(() => {
    server
      .on('GET /api/auth/me', {
        json: aUser({ orgRole: 'reviewer', orgPermissions: ['workflow.read', 'draft.review'] }),
      })
      .on('GET /api/tasks/reviews', { json: [HIRING] })
      .on('GET /api/tasks/reviews/count', { json: { count: 1 } });
  });

  test('begins with the drafts to review and counts them', async () => {
    openTasks();
    const part = within(await screen.findByRole('region', { name: 'To review' }));
    const link = part.getByRole('link', { name: /Hiring.*Sam Okafor.*6 changes, waiting since.*1 of 2 approvals/s });
    expect(link.getAttribute('href')).toBe(`/app/review?key=hiring&id=${HIRING.draftId}`);
    expect(document.body.textContent).not.toContain(HIRING.author.email);
    expect(await screen.findByText('3 tasks waiting for you, soonest first')).toBeDefined();
    const main = within(screen.getByRole('navigation', { name: 'Main' }));
    await waitFor(() => expect(main.getByRole('link', { name: /My tasks/ }).textContent).toMatch(/^My tasks3/));
  });

  test('shows the delegator of a delegated review, even to people who can’t review by themselves', async () => {
    const onBehalfOf = { id: '0199aaaa-0000-7000-8000-0000000000c1', name: 'Mara Voss', email: 'mara@example.com' };
    server
      .on('GET /api/auth/me', { json: aUser({ orgRole: 'viewer', orgPermissions: ['workflow.read'] }) })
      .on('GET /api/tasks/count', { json: { count: 0, overdue: 0, nextDueAt: null, reviewsForOthers: true } })
      .on('GET /api/tasks/reviews', { json: [{ ...HIRING, onBehalfOf }] });
    const { user } = openTasks();
    const part = within(await screen.findByRole('region', { name: 'To review' }));
    expect(part.getByRole('link', { name: /Hiring.*For .*Mara Voss.*by .*Sam Okafor/s })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'My role' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'To review' })).toBeNull());
  });

  test('names the groups whose approval is missing, and removes the draft when the group has approved', async () => {
    server.on('GET /api/tasks/reviews', { json: [{ ...HIRING, groups: ['Compliance'] }] });
    openTasks();
    const part = within(await screen.findByRole('region', { name: 'To review' }));
    expect(part.getByRole('link', { name: /Hiring.*Compliance.* 0 of 1.*1 of 2 approvals/s })).toBeDefined();
    await waitFor(() => expect(events.openStreams()).toBe(1));
    server.on('GET /api/tasks/reviews', { json: [] }).on('GET /api/tasks/reviews/count', { json: { count: 0 } });
    act(() => events.send('changed', { subject: 'version', id: HIRING.draftId }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'To review' })).toBeNull());
  });

  test('removes a draft when it is merged', async () => {
    server
      .on('GET /api/tasks', { json: [] })
      .on('GET /api/tasks/count', { json: { count: 0, overdue: 0, nextDueAt: null } });
    openTasks();
    await screen.findByRole('region', { name: 'To review' });
    expect(screen.queryByText('You’re all caught up.')).toBeNull();
    await waitFor(() => expect(events.openStreams()).toBe(1));
    server.on('GET /api/tasks/reviews', { json: [] }).on('GET /api/tasks/reviews/count', { json: { count: 0 } });
    act(() => events.send('changed', { subject: 'version', id: HIRING.draftId }));
    expect(await screen.findByText('You’re all caught up.')).toBeDefined();
    expect(screen.queryByRole('region', { name: 'To review' })).toBeNull();
  });

  test('doesn’t say that the person is caught up if the reviews can’t be loaded', async () => {
    server
      .on('GET /api/tasks', { json: [] })
      .on('GET /api/tasks/reviews', { status: 500, json: { error: 'Something went wrong.', code: 'internal' } });
    openTasks();
    expect(within(await screen.findByRole('alert')).getByText('Error loading tasks')).toBeDefined();
    expect(screen.queryByText('You’re all caught up.')).toBeNull();
  });

  test('can show only the tasks that are assigned by name, and stores the filter in the address', async () => {
    server.on('GET /api/tasks', ({ query }) => ({ json: query.get('for') === 'me' ? [] : [REVIEW] }));
    const { user, router } = openTasks();
    await task(/Compliance review/);
    await user.click(screen.getByRole('button', { name: 'Assigned to me' }));
    expect(await screen.findByText('Nothing is assigned to you by name.')).toBeDefined();
    expect(screen.queryByRole('region', { name: 'To review' })).toBeNull();
    expect(router.state.location.search).toBe('?show=me');
    await user.click(screen.getByRole('button', { name: 'Show all tasks' }));
    expect(await screen.findByRole('region', { name: 'To review' })).toBeDefined();
    expect(router.state.location.search).toBe('');
  });
});

test('lists the person’s completed tasks in pages, with links', async () => {
  const done = {
    id: 7,
    at: WHEN(-2),
    did: 'completed',
    title: 'Assess risk tier',
    workflowTitle: 'Vendor onboarding',
    run: { id: ASSESS.runId, name: 'Nordlicht GmbH' },
    draft: null,
  };
  const draft = { key: 'hiring', id: '0199aaaa-0000-7000-8000-0000000000e1' };
  server.on('GET /api/tasks/done', ({ query }) =>
    query.has('cursor')
      ? {
          json: [
            { ...done, id: 3, did: 'changes_requested', title: 'Hiring', workflowTitle: 'Hiring', run: null, draft },
          ],
        }
      : { json: [done], headers: { 'x-next-cursor': '7' } },
  );
  const { user } = renderApp('/app/tasks?show=done', { token: aToken() });
  const list = within(await screen.findByRole('region', { name: 'Done' }));
  const step = list.getByRole('link', {
    name: /Assess risk tier.*Completed, .*Nordlicht GmbH.*, .*Vendor onboarding/s,
  });
  expect(step.getAttribute('href')).toBe(`/app/runs/${ASSESS.runId}`);
  await user.click(list.getByRole('button', { name: 'Show more' }));
  expect((await list.findByRole('link', { name: /Hiring.*Changes requested/s })).getAttribute('href')).toContain(
    '/app/review',
  );
  expect(list.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('shows a message if the person hasn’t completed any tasks', async () => {
  server.on('GET /api/tasks/done', { json: [] });
  renderApp('/app/tasks?show=done', { token: aToken() });
  expect(await screen.findByText('Nothing done yet')).toBeDefined();
});
