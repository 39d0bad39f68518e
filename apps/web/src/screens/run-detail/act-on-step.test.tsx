import type { RunStep } from '@stet/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aRun, aRunStep } from '../../testing/records.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { ID, card, openRun, startRunServer } from './run-detail-screen.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startRunServer();
});

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

test('a manual step must be filled in before it is sent', async () => {
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.click(step.getByRole('button', { name: 'Complete' }));
  expect(await step.findByText('Please provide input for this manual step')).toBeDefined();
  expect(server.calls(complete)).toHaveLength(0);
});

test('completing a step sends its input with an idempotency key and shows the updated run', async () => {
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

test('moves the focus to the next active step when a step is completed', async () => {
  server.on(complete, { json: withoutStep('assess') });
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.type(step.getByLabelText('Your input'), 'Tier 2');
  await user.tab();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Assess risk tier' })).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByRole('article')[0]));
});

test('a retry after a lost response sends the same idempotency key', async () => {
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

test('shows the current run and the reason if someone else has completed the step', async () => {
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

test('a rejection requires comments, but an approval doesn’t', async () => {
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

test('skips a step with a reason', async () => {
  const skip = `POST /api/runs/${ID}/steps/assess/skip`;
  server.on(skip, { json: { message: 'Skipped', run: withoutStep('assess') } });
  const { user } = openRun();
  await user.click((await card('Assess risk tier')).getByRole('button', { name: 'Skip' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Skip Assess risk tier?' }));
  await user.click(dialog.getByRole('button', { name: 'Skip step' }));
  expect(await dialog.findByText('Give a reason for skipping the step')).toBeDefined();
  expect(server.calls(skip)).toHaveLength(0);
  await user.type(dialog.getByLabelText(/Reason/), 'Known vendor');
  await user.click(dialog.getByRole('button', { name: 'Skip step' }));
  await waitFor(() => expect(server.calls(skip)[0]?.body).toEqual({ reason: 'Known vendor' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

const withStep = (id: string, change: Partial<RunStep>) =>
  aRun({ steps: aRun().steps.map((step) => (step.id === id ? { ...step, ...change } : step)) });
const mara = { id: '0199aaaa-0000-7000-8000-0000000000f1', name: 'Mara Lindqvist', email: 'mara@haldenworks.example' };
const cannot = {
  complete: false,
  approve: false,
  reject: false,
  skip: false,
  retry: false,
  claim: false,
  release: false,
  handOver: false,
};
const forMara = { onBehalfOf: mara, complete: false, approve: true, reject: true };

test('votes for a delegator, with the delegator’s name on the button', async () => {
  const approve = `POST /api/runs/${ID}/steps/review/approve`;
  server
    .on('GET /api/runs/*', { json: withStep('review', { abilities: cannot, delegated: [forMara] }) })
    .on(approve, { json: { message: 'Approved', run: withoutStep('review') } });
  const { user } = openRun();
  const step = await card('Compliance review');
  expect(step.getByText('Mara Lindqvist delegated this to you.')).toBeDefined();
  expect(step.queryByRole('button', { name: 'Skip' })).toBeNull();
  await user.click(step.getByRole('button', { name: 'Approve for Mara Lindqvist' }));
  await waitFor(() => expect(server.calls(approve)[0]?.body).toEqual({ comments: null, onBehalfOf: mara.id }));
});

test('acts for the user unless a delegator is chosen', async () => {
  const complete = `POST /api/runs/${ID}/complete`;
  server
    .on('GET /api/runs/*', {
      json: withStep('assess', { delegated: [{ onBehalfOf: mara, complete: true, approve: false, reject: false }] }),
    })
    .on(complete, { json: withoutStep('assess') });
  const { user } = openRun();
  const step = await card('Assess risk tier');
  expect(step.getByRole('button', { name: 'Complete' })).toBeDefined();
  await user.type(step.getByLabelText('Your input'), 'Tier 2');
  await user.click(
    within(step.getByRole('group', { name: 'Act for' })).getByRole('button', { name: 'Mara Lindqvist' }),
  );
  await user.click(step.getByRole('button', { name: 'Complete for Mara Lindqvist' }));
  await waitFor(() =>
    expect(server.calls(complete)[0]?.body).toEqual({
      stepId: 'assess',
      output: { text: 'Tier 2' },
      onBehalfOf: mara.id,
    }),
  );
});

test('names the delegate and the delegator of a vote, also in the history', async () => {
  const by = { id: 'sam', name: 'Sam Okafor', email: null, kind: 'user' as const, onBehalfOf: mara };
  const vote = { by, at: '2026-11-20T10:00:00.000Z', comments: null, actsFor: null, marks: [], addedBy: null };
  const run = withStep('review', { approvals: { required: 2, by: [by], votes: [vote] } });
  const entry = { stepId: 'review', action: 'approved', at: vote.at, actor: by, data: {} };
  server.on('GET /api/runs/*', { json: { ...run, history: [entry] } });
  openRun();
  const step = await card('Compliance review');
  expect(step.getByText('for Mara Lindqvist', { exact: false })).toBeDefined();
  expect(await screen.findByText('Sam Okafor for Mara Lindqvist', { exact: false })).toBeDefined();
});

const someone = { id: 'sam', name: 'Sam Okafor', email: null, kind: 'user' as const };
const at = '2026-11-20T10:00:00.000Z';

test('lists the votes to skip an approval and adds the user’s own', async () => {
  const votes = [{ by: someone, at, reason: 'Same vendor as last year', marks: [], addedBy: null }];
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
  const run = withStep('review', { skip: { required: 3, votes }, abilities });
  const skip = `POST /api/runs/${ID}/steps/review/skip`;
  const more = [...votes, { by: { ...someone, id: 'me' }, at, reason: 'Indeed', marks: [], addedBy: null }];
  server
    .on('GET /api/runs/*', { json: run })
    .on(skip, { json: { message: '2 of 3', run: withStep('review', { skip: { required: 3, votes: more } }) } });
  const { user } = openRun();
  const step = await card('Compliance review');
  expect(step.getByText('1 of 3 have agreed to skip')).toBeDefined();
  await user.click(step.getByRole('button', { name: 'Skip' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Skip Compliance review?' }));
  expect(dialog.getByText('Same vendor as last year')).toBeDefined();
  await user.type(dialog.getByLabelText('Reason'), 'Indeed');
  await user.click(dialog.getByRole('button', { name: 'Agree to skip' }));
  const toasts = within(await screen.findByRole('region', { name: 'Notifications' }));
  expect(await toasts.findByText('2 of 3 have agreed to skip')).toBeDefined();
});

test('asks before acting on another person’s step', async () => {
  server
    .on('GET /api/runs/*', { json: withStep('assess', { actsFor: 'helper', assignedTo: 'Reviewer' }) })
    .on(complete, { json: withoutStep('assess') });
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.type(step.getByLabelText('Your input'), 'tier 2');
  await user.click(step.getByRole('button', { name: 'Complete' }));
  const name = 'This step is assigned to Reviewer. Complete it for them?';
  const dialog = within(await screen.findByRole('dialog', { name }));
  expect(server.calls(complete)).toHaveLength(0);
  await user.click(dialog.getByRole('button', { name: 'Complete' }));
  await waitFor(() => expect(server.calls(complete)[0]?.body).toMatchObject({ output: { text: 'tier 2' } }));
});

test('people who decide in place of the assignees must give a reason', async () => {
  const approve = `POST /api/runs/${ID}/steps/review/approve`;
  server
    .on('GET /api/runs/*', { json: withStep('review', { actsFor: 'too_few', assignedTo: 'Reviewer' }) })
    .on(approve, { json: { message: 'Approved', run: withoutStep('review') } });
  const { user } = openRun();
  const step = await card('Compliance review');
  expect(step.getByText(/This step is assigned to Reviewer. You can decide for them/)).toBeDefined();
  await user.click(step.getByRole('button', { name: 'Approve' }));
  expect(step.getByText('Give a reason for deciding for them')).toBeDefined();
  expect(server.calls(approve)).toHaveLength(0);
  await user.type(step.getByLabelText('Comments'), 'Ellen has left');
  await user.click(step.getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(server.calls(approve)[0]?.body).toEqual({ comments: 'Ellen has left' }));
});

test('shows a step’s rejection, and that nobody else could retry the step', async () => {
  const rejection = { by: someone, at, comments: 'Too risky', retriedAlone: true };
  server.on('GET /api/runs/*', { json: withStep('review', { rejection }) });
  openRun();
  const step = await card('Compliance review');
  expect(step.getByText(/Rejected by Sam Okafor: Too risky/).textContent).toContain('nobody else could');
});

describe('completing the last step', () => {
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

  test('returns to the list of runs after 3 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { router } = await finish();
    expect(router.state.location.pathname).toBe(`/app/runs/${ID}`);
    await act(() => vi.advanceTimersByTimeAsync(3000));
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/runs'));
  });

  test('stays on the page if the person chooses to', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user, router } = await finish();
    await user.click(screen.getByRole('button', { name: 'Stay here' }));
    expect(screen.getByText('This run is completed.')).toBeDefined();
    await act(() => vi.advanceTimersByTimeAsync(4000));
    expect(router.state.location.pathname).toBe(`/app/runs/${ID}`);
  });
});
