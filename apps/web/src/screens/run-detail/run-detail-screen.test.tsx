import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aRun, aRunStep, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer().on('GET /api/auth/me', { json: aUser() }).on('GET /api/runs/*', { json: aRun() });
});

const ID = aRun().id;
const openRun = () => renderApp(`/app/runs/${ID}`, { token: aToken() });
const card = async (name: string) => within(await screen.findByRole('article', { name }));
const complete = `POST /api/runs/${ID}/complete`;

const withoutStep = (stepId: string) => {
  const run = aRun();
  return aRun({
    steps: run.steps.map((step) =>
      step.id === stepId
        ? aRunStep({ ...step, state: 'completed', completedAt: '2026-11-20T14:36:00.000Z', completedBy: run.startedBy })
        : step,
    ),
    stepsCompleted: run.stepsCompleted + 1,
  });
};

test('a run shows its steps, what comes next and what happened, newest first', async () => {
  openRun();
  expect(await screen.findByRole('heading', { level: 1, name: 'Nordlicht GmbH' })).toBeDefined();
  expect(screen.getByText('2 of 6 steps completed')).toBeDefined();
  expect(screen.getByText('⚡ At Risk')).toBeDefined();
  expect(within(screen.getByRole('region', { name: 'Next Step(s)' })).getByText('Mara Lindqvist')).toBeDefined();
  const progress = within(screen.getByRole('region', { name: 'Workflow Progress' }));
  expect(progress.getByText(/^Completed .* by Priya Nair$/)).toBeDefined();
  expect(progress.getAllByText('Blocked')).toHaveLength(2);
  const history = within(screen.getByRole('region', { name: /Execution History/ })).getAllByRole('listitem');
  expect(history.map((line) => line.querySelector('p')?.textContent)).toEqual([
    'Compliance review approvedSam Okafor: “Spoke to Ms Ahrens, last four digits match.”',
    'Register the vendor request completedPriya Nair: “Registered as 2026-88”',
    'Register the vendor request activatedPriya Nair',
  ]);
});

test('a manual step asks for input before it is sent', async () => {
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.click(step.getByRole('button', { name: 'Complete' }));
  expect(step.getByText('Please provide input for this manual step')).toBeDefined();
  expect(server.calls(complete)).toHaveLength(0);
});

test('completing a step sends its input once, and shows the run that came back', async () => {
  server.on(complete, { json: withoutStep('assess') });
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.type(step.getByLabelText('Your input'), '  71 points, tier 2 ');
  await user.click(step.getByRole('button', { name: 'Complete' }));
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Assess risk tier' })).toBeNull());
  expect(screen.getByText('3 of 6 steps completed')).toBeDefined();
  expect(screen.getByText('Step Completed')).toBeDefined();
  const [call] = server.calls(complete);
  expect(call?.body).toEqual({ stepId: 'assess', output: { text: '71 points, tier 2' } });
  expect(call?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
});

test('focus goes on to the step that waits next when the one it was in is done', async () => {
  server.on(complete, { json: withoutStep('assess') });
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.type(step.getByLabelText('Your input'), 'Tier 2');
  await user.tab();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Assess risk tier' })).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByRole('article')[0]));
});

test('trying again after silence sends the same key, so the step is completed once', async () => {
  server.on(complete, { status: 500, json: { error: 'Out of order', code: 'internal' } });
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.type(step.getByLabelText('Your input'), 'tier 2');
  let isSilent = true;
  server.on(complete, () => {
    if (!isSilent) return { json: withoutStep('assess') };
    throw new TypeError('connection lost');
  });
  await user.click(step.getByRole('button', { name: 'Complete' }));
  expect((await step.findByRole('alert')).textContent).toContain('can’t be reached');
  expect(step.getByLabelText<HTMLTextAreaElement>('Your input').value).toBe('tier 2');
  isSilent = false;
  await user.click(step.getByRole('button', { name: 'Complete' }));
  await waitFor(() => expect(server.calls(complete)).toHaveLength(2));
  const keys = server.calls(complete).map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[0]).toBe(keys[1]);
});

test('when someone else was first, the run is shown as it stands now', async () => {
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.type(step.getByLabelText('Your input'), 'tier 2');
  server
    .on(complete, { status: 409, json: { error: 'This step was completed by Sam Okafor', code: 'step_not_active' } })
    .on('GET /api/runs/*', { json: withoutStep('assess') });
  await user.click(step.getByRole('button', { name: 'Complete' }));
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Assess risk tier' })).toBeNull());
  expect(screen.getByText(/This step was completed by Sam Okafor/)).toBeDefined();
});

test('a rejection needs comments, an approval does not', async () => {
  const approve = `POST /api/runs/${ID}/steps/review/approve`;
  server.on(approve, { json: { message: 'Approved', run: withoutStep('review') } });
  const { user } = openRun();
  const step = await card('Compliance review');
  expect(step.getByText('1 of 2 approvals')).toBeDefined();
  await user.click(step.getByRole('button', { name: 'Reject' }));
  expect(step.getByText('Comments are required when rejecting')).toBeDefined();
  expect(server.calls(`POST /api/runs/${ID}/steps/review/reject`)).toHaveLength(0);
  await user.click(step.getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Compliance review' })).toBeNull());
  expect(server.calls(approve)[0]?.body).toEqual({ comments: null });
});

test('a step is skipped with a reason', async () => {
  const skip = `POST /api/runs/${ID}/steps/assess/skip`;
  server.on(skip, { json: { message: 'Skipped', run: withoutStep('assess') } });
  const { user } = openRun();
  await user.click((await card('Assess risk tier')).getByRole('button', { name: 'Skip' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Skip Assess risk tier?' }));
  await user.type(dialog.getByLabelText(/Reason/), 'Known vendor');
  await user.click(dialog.getByRole('button', { name: 'Skip step' }));
  await waitFor(() => expect(server.calls(skip)[0]?.body).toEqual({ reason: 'Known vendor' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a run is cancelled with a reason; without one, focus goes to where it is written', async () => {
  const cancel = `POST /api/runs/${ID}/cancel`;
  server.on(cancel, { json: aRun({ status: 'cancelled' }) });
  const { user } = openRun();
  await user.click(await screen.findByRole('button', { name: 'Cancel run' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this run?' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel run' }));
  const reason = dialog.getByLabelText('Reason');
  await waitFor(() => expect(document.activeElement).toBe(reason));
  expect(dialog.getByText('Say why the run is cancelled')).toBeDefined();
  expect(server.calls(cancel)).toHaveLength(0);
  await user.type(reason, 'Ordered twice');
  await user.click(dialog.getByRole('button', { name: 'Cancel run' }));
  await waitFor(() => expect(server.calls(cancel)[0]?.body).toEqual({ reason: 'Ordered twice' }));
});

test('a paused run says so and offers only to go on', async () => {
  server.on('GET /api/runs/*', {
    json: aRun({ status: 'paused', abilities: { pause: false, resume: true, cancel: true, exportAudit: true } }),
  });
  openRun();
  expect(await screen.findByText(/This run is paused/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Resume' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Complete' })).toBeNull();
});

test('an open step of a failed run is late where its clock says so, and asks for nothing', async () => {
  const run = aRun();
  const dueAt = new Date(run.now - 66 * 3_600_000).toISOString();
  const abilities = { complete: false, approve: false, reject: false, skip: false, retry: false };
  server.on('GET /api/runs/*', {
    json: aRun({
      status: 'failed',
      slaState: 'on_track',
      steps: run.steps.map((step) => ({ ...step, abilities, ...(step.id === 'assess' && { dueAt, slaState: null }) })),
    }),
  });
  openRun();
  const late = (await card('Assess risk tier')).getByText('2d 18h over');
  expect(late.className).toContain('breached');
  expect(screen.getByText('⚠️ Breached')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Current Step(s)' })).toBeDefined();
  expect(screen.queryByText(/Action Required/)).toBeNull();
});

test('a run that waits for people says that they are to act', async () => {
  openRun();
  expect(await screen.findByRole('heading', { name: 'Current Step(s) - Action Required' })).toBeDefined();
});

test('what failed is told in the server’s words, else in ours', async () => {
  const pause = `POST /api/runs/${ID}/pause`;
  server.on(pause, { status: 403, json: { error: 'Your role may not pause runs', code: 'forbidden' } });
  const { user } = openRun();
  await user.click(await screen.findByRole('button', { name: 'Pause' }));
  const toasts = within(await screen.findByRole('region', { name: 'Notifications' }));
  expect(await toasts.findByText('Your role may not pause runs')).toBeDefined();
  server.on(pause, { status: 500, text: '' });
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  expect(await toasts.findByText('Failed to pause the run')).toBeDefined();
});

test('who may not act sees no button to press', async () => {
  const run = aRun();
  const abilities = { complete: false, approve: false, reject: false, skip: false, retry: false };
  server.on('GET /api/runs/*', {
    json: aRun({
      steps: run.steps.map((step) => ({ ...step, abilities })),
      abilities: { pause: false, resume: false, cancel: false, exportAudit: false },
    }),
  });
  openRun();
  const step = await card('Assess risk tier');
  expect(step.getByText('Assigned to you')).toBeDefined();
  for (const name of ['Complete', 'Skip', 'Approve', 'Reject', 'Pause', 'Cancel run'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

describe('finishing the last step', () => {
  const finish = async () => {
    server.on(complete, {
      json: aRun({
        status: 'completed',
        steps: [],
        currentStepIds: [],
        nextSteps: [],
        completedAt: '2026-11-20T14:36:08.000Z',
      }),
    });
    const app = openRun();
    const step = await card('Assess risk tier');
    await app.user.type(step.getByLabelText('Your input'), 'done');
    await app.user.click(step.getByRole('button', { name: 'Complete' }));
    expect(await screen.findByText('Workflow Completed')).toBeDefined();
    return app;
  };

  test('leads to the runs after 3 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { router } = await finish();
    expect(router.state.location.pathname).toBe(`/app/runs/${ID}`);
    await act(() => vi.advanceTimersByTimeAsync(3000));
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/runs'));
  });

  test('leads nowhere for who stays', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user, router } = await finish();
    await user.click(screen.getByRole('button', { name: 'Stay here' }));
    expect(screen.getByText('This run is completed.')).toBeDefined();
    await act(() => vi.advanceTimersByTimeAsync(4000));
    expect(router.state.location.pathname).toBe(`/app/runs/${ID}`);
  });
});

describe('what stands in the place of a run', () => {
  test.each([
    [404, 'Run not found'],
    [400, 'Run not found'],
    [500, 'Failed to load run'],
  ])('has one heading of the page: %d is "%s"', async (status, title) => {
    server.on('GET /api/runs/*', { status, json: { error: 'No', code: 'not_found' } });
    openRun();
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeDefined();
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  });

  test('has one while it loads', async () => {
    server.on('GET /api/runs/*', () => new Promise(() => undefined));
    openRun();
    expect(await screen.findByRole('heading', { level: 1, name: 'Run' })).toBeDefined();
  });
});

test('a run that is not there is "Run not found"', async () => {
  server.on('GET /api/runs/*', { status: 404, json: { error: 'Run not found', code: 'not_found' } });
  openRun();
  expect(await screen.findByText('Run not found')).toBeDefined();
  expect(screen.getAllByRole('link', { name: /Runs/ }).length).toBeGreaterThan(0);
});
