import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { aDetail } from '../../features/workflow-editor/testing/workflows.ts';
import { serveEvents } from '../../testing/fake-events.ts';
import type { FakeEvents } from '../../testing/fake-events.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aRun, aRunStep, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const RUN = aRun();
const AT = `/app/workflows/run/${RUN.workflowKey}/${RUN.id}`;
const read = `GET /api/runs/${RUN.id}` as const;
const complete = `POST /api/runs/${RUN.id}/complete`;
const NOTHING = aRunStep().abilities;

let server: FakeServer;
let events: FakeEvents;
beforeEach(() => {
  server = startFakeServer()
    // Each test uses a different user, because unsent input is stored in the browser.
    .on('GET /api/auth/me', { json: aUser({ id: crypto.randomUUID() }) })
    .on('GET /api/workflows/*', { json: aDetail() })
    .on('GET /api/runs', { json: [] })
    .on('GET /api/runs/summary', { json: { total: 0, byStatus: {}, bySla: {} } })
    .on(read, { json: RUN })
    .on('GET /api/runs/*/notes', { json: [] });
  events = serveEvents(server);
});

const openRun = (at = AT) => renderApp(at, { token: aToken() });
const card = async (name: string) => within(await screen.findByRole('article', { name }));
const changed = () => act(() => events.send('changed', { subject: 'run', id: RUN.id }));
const sam = { id: 'u2', name: 'Sam Okafor', email: null, kind: 'user' as const };
const withStep = (stepId: string, change: Partial<(typeof RUN)['steps'][number]>) =>
  aRun({ steps: RUN.steps.map((step) => (step.id === stepId ? { ...step, ...change } : step)) });

test('shows the steps in order, with the active ones open', async () => {
  openRun();
  expect(await screen.findByRole('heading', { level: 1, name: 'Nordlicht GmbH' })).toBeDefined();
  expect(await screen.findByText(/^Vendor onboarding, on/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Cancel run' })).toBeDefined();
  expect(screen.getByText('2 of 6 steps completed')).toBeDefined();
  expect(screen.getByText('2 d 7 h').title).toBe('2 d 7 h 12 min 5 s');
  expect(screen.getByText('⚡ At Risk')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Back to Runs' }).getAttribute('href')).toBe('/app/runs');
  expect(screen.getByRole('link', { name: 'Back to Workflows' }).getAttribute('href')).toBe('/app/workflows');
  expect(screen.getByRole('link', { name: 'v7' }).getAttribute('href')).toBe('/app/docs/vendor-onboarding?version=7');
  const steps = within(screen.getByRole('region', { name: 'Steps' })).getAllByRole('heading', { level: 3 });
  expect(steps.map(({ textContent }) => textContent)).toEqual(RUN.steps.map(({ title }) => title));
  expect((await card('Assess risk tier')).getByRole('button', { name: 'Complete' })).toBeDefined();
  expect((await card('Compliance review')).getByRole('button', { name: 'Approve' })).toBeDefined();
});

test('validates a form and sends its values by field', async () => {
  server
    .on(read, {
      json: withStep('assess', {
        fields: [
          { id: 'amount', label: 'Amount', kind: 'number', required: true },
          { id: 'tier', label: 'Tier', kind: 'choice', options: ['one', 'two'], required: true },
        ],
      }),
    })
    .on(complete, { json: withStep('assess', { state: 'completed', completedBy: sam }) });
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.type(step.getByLabelText('Amount'), 'much');
  await user.click(step.getByRole('button', { name: 'Complete' }));
  expect(await step.findByText('Amount must be a number')).toBeDefined();
  expect(step.getByText('Tier is required')).toBeDefined();
  expect(screen.getByText('Input Required')).toBeDefined();
  expect(server.calls(complete)).toHaveLength(0);
  await user.clear(step.getByLabelText('Amount'));
  await user.type(step.getByLabelText('Amount'), '42000');
  await user.selectOptions(step.getByLabelText('Tier'), 'two');
  expect(screen.queryByText('Input Required')).toBeNull();
  await user.click(step.getByRole('button', { name: 'Complete' }));
  await waitFor(() =>
    expect(server.calls(complete)[0]?.body).toEqual({
      stepId: 'assess',
      output: { text: '', fields: { amount: 42_000, tier: 'two' } },
    }),
  );
});

test('restores typed text after a pause', async () => {
  const { user } = openRun();
  await user.type((await card('Assess risk tier')).getByLabelText('Your input'), 'tier 2');
  await waitFor(() => expect(events.openStreams()).toBe(1));
  server.on(read, { json: { ...withStep('assess', { abilities: NOTHING }), status: 'paused' } });
  changed();
  expect(await screen.findByText(/This run is paused/)).toBeDefined();
  expect(screen.queryByLabelText('Your input')).toBeNull();
  expect(screen.queryByText(/was not sent/)).toBeNull();
  server.on(read, { json: RUN });
  changed();
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Your input').value).toBe('tier 2'));
});

test('text that was sent is removed from the browser, and the page leaves the finished run', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const done = withStep('assess', { state: 'completed', completedBy: sam, abilities: NOTHING });
  server.on(complete, () => {
    server.on(read, { json: done });
    return { json: done };
  });
  const { user, router } = openRun();
  const step = await card('Assess risk tier');
  await user.clear(step.getByLabelText('Your input'));
  await user.type(step.getByLabelText('Your input'), '71 points');
  expect(Object.keys(localStorage).some((key) => key.endsWith(RUN.id))).toBe(true);
  await user.click(step.getByRole('button', { name: 'Complete' }));
  await waitFor(() => expect(screen.queryByLabelText('Your input')).toBeNull());
  expect(server.calls(complete)[0]?.body).toMatchObject({ stepId: 'assess', output: { text: '71 points' } });
  expect(screen.queryByText(/was not sent|while you were writing/)).toBeNull();
  expect(Object.keys(localStorage).filter((key) => key.endsWith(RUN.id))).toEqual([]);
  await waitFor(() => expect(events.openStreams()).toBe(1));
  server.on(read, { json: { ...done, status: 'completed', currentStepIds: [], nextSteps: [] } });
  changed();
  expect(await screen.findByText('Workflow Completed')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(3000));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/runs'));
});

test('lets people copy their unsent text if someone else was faster', async () => {
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.clear(step.getByLabelText('Your input'));
  await user.type(step.getByLabelText('Your input'), '71 points, tier 2');
  server
    .on(complete, { status: 409, json: { error: 'This step is already completed', code: 'step_not_active' } })
    .on(read, { json: withStep('assess', { state: 'completed', completedBy: sam, abilities: NOTHING }) });
  await user.click(step.getByRole('button', { name: 'Complete' }));
  expect(await screen.findByText(/was completed by Sam Okafor while you were writing/)).toBeDefined();
  expect(screen.getByText(/This step is already completed/)).toBeDefined();
  expect(screen.getByText('71 points, tier 2')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(screen.queryByText('71 points, tier 2')).toBeNull();
});

test('a failed step shows the reason and its script’s log and can be retried', async () => {
  const reason = 'list service did not answer';
  const at = RUN.createdAt;
  const failed = withStep('check', {
    state: 'failed',
    reason,
    simulated: true,
    abilities: { ...NOTHING, retry: true },
  });
  server
    .on(read, {
      json: {
        ...failed,
        status: 'failed',
        history: [{ stepId: 'check', action: 'failed', at, actor: sam, data: { reason, log: ['asked', 'waited'] } }],
      },
    })
    .on(`POST /api/runs/${RUN.id}/steps/check/retry`, { json: { message: 'Step active again', run: RUN } });
  const { user } = openRun();
  const step = await card('Check sanctions and ownership lists');
  expect(step.getByText(`Step failed: ${reason}`)).toBeDefined();
  expect(step.getByText('Simulated')).toBeDefined();
  expect(step.getByRole('region', { name: 'Script of step Check sanctions and ownership lists' }).textContent).toBe(
    'asked\nwaited',
  );
  await user.click(step.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Step Retried')).toBeDefined();
});

test('counts the people who have the same run open', async () => {
  openRun();
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(events.openStreams()).toBe(1));
  const people = [
    { id: 'u1', name: 'Priya Nair' },
    { id: 'u2', name: 'Sam Okafor' },
  ];
  act(() => events.send('presence', { runId: RUN.id, people }));
  expect(await screen.findByText('2 people here')).toBeDefined();
  act(() => events.send('presence', { runId: RUN.id, people: people.slice(0, 1) }));
  await waitFor(() => expect(screen.queryByText(/people here/)).toBeNull());
});

test('returns to the list of runs 3 seconds after the server finished the run', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { router } = openRun();
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(events.openStreams()).toBe(1));
  server.on(read, { json: aRun({ status: 'completed', steps: [], currentStepIds: [], nextSteps: [] }) });
  changed();
  expect(await screen.findByText('Workflow Completed')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Stay here' })).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(3000));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/runs'));
});

test('stays on the page with unsent text until it is discarded', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { user, router } = openRun();
  await user.type((await card('Assess risk tier')).getByLabelText('Your input'), '71 points');
  await waitFor(() => expect(events.openStreams()).toBe(1));
  const done = withStep('assess', { state: 'completed', completedBy: sam, abilities: NOTHING });
  server.on(read, { json: { ...done, status: 'completed', currentStepIds: [], nextSteps: [] } });
  changed();
  expect(await screen.findByText('Workflow Completed')).toBeDefined();
  expect(screen.getByText('This run is completed.')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(router.state.location.pathname).toBe(AT);
  expect(screen.getByText('71 points')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(screen.getByRole('button', { name: 'Stay here' })).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(3000));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/runs'));
});

test('corrects an address with the wrong workflow', async () => {
  const { router } = openRun(`/app/workflows/run/other/${RUN.id}`);
  await waitFor(() => expect(router.state.location.pathname).toBe(AT));
});

test('offers a retry if a run can’t be loaded', async () => {
  server.on(read, { status: 404, json: { error: 'Run not found', code: 'not_found' } });
  const { user } = openRun();
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Failed to load workflow execution')).toBeDefined();
  expect(alert.getByText('Run not found')).toBeDefined();
  expect(screen.getByRole('heading', { level: 1, name: 'Failed to load workflow execution' })).toBeDefined();
  server.on(read, { json: RUN });
  await user.click(alert.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Nordlicht GmbH' })).toBeDefined();
});

describe('a workflow’s address', () => {
  const start = () => openRun(`/app/workflows/run/${RUN.workflowKey}`);

  test('starts one run named after the title and date and replaces the address with the run’s', async () => {
    server.on('POST /api/runs', { status: 201, json: RUN });
    const { router } = start();
    await waitFor(() => expect(router.state.location.pathname).toBe(AT));
    expect(router.state.historyAction).toBe('REPLACE');
    expect(server.calls('POST /api/runs').map(({ body }) => body)).toEqual([
      {
        key: RUN.workflowKey,
        name: expect.stringMatching(/^Vendor onboarding - \d+ \w+ \d{4}$/) as string,
        priority: 'medium',
      },
    ]);
  });

  test('shows the server’s refusal and can be retried', async () => {
    server.on('POST /api/runs', {
      status: 409,
      json: { error: 'This workflow has no live version yet', code: 'nothing_live' },
    });
    const { user, router } = start();
    // The message appears on the page and in a toast, in any order.
    await waitFor(() => expect(screen.getAllByText('This workflow has no live version yet')).toHaveLength(2));
    server.on('POST /api/runs', { status: 201, json: RUN });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(AT));
  });

  test.each([
    ['GET /api/workflows/*', 'Failed to load workflow'],
    ['POST /api/runs', 'Failed to create run'],
  ])('if %s fails without a message, shows “%s”', async (key, sentence) => {
    server.on(key, { status: 400, text: '' });
    start();
    const toasts = within(await screen.findByRole('region', { name: 'Notifications' }));
    expect((await toasts.findByRole('alert')).textContent).toBe(`Error${sentence}`);
    expect(screen.getByText('Failed to load workflow execution')).toBeDefined();
  });
});
