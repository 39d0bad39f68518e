import type { Run, RunStep } from '@stet/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aRun, aTask, aToken, aUser } from '../../testing/records.ts';
import { problemAt } from '../../testing/problem-at.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ID = aRun().id;
const TASKS = [
  aTask(),
  aTask({ stepId: 'review', title: 'Compliance review', type: 'approval', dueAt: null, waitsFor: 'role' }),
];

const withStep = (id: string, change: Partial<RunStep>): Run =>
  aRun({ steps: aRun().steps.map((step) => (step.id === id ? { ...step, ...change } : step)) });

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    // Each test uses a different user, because unsent input persists in the tab.
    .on('GET /api/auth/me', { json: aUser({ id: crypto.randomUUID() }) })
    .on('GET /api/tasks', { json: TASKS })
    .on('GET /api/tasks/count', { json: { count: 2, overdue: 0, nextDueAt: null } })
    .on('GET /api/runs/*', { json: aRun() })
    .on('GET /api/runs/*/notes', { json: [] });
});

const inRun = (address: string) => async (title: string) => {
  const app = renderApp(address, { token: aToken() });
  return { ...app, step: within(await screen.findByRole('article', { name: title })) };
};

/** The screens that let people act on a step. */
const PLACES = {
  'the run': inRun(`/app/runs/${ID}`),
  'the execution': inRun(`/app/workflows/run/vendor-onboarding/${ID}`),
  'My tasks': async (title: string) => {
    const app = renderApp('/app/tasks', { token: aToken() });
    await app.user.click(await screen.findByRole('button', { name: new RegExp(title) }));
    const step = within(await screen.findByRole('complementary', { name: `Task ${title}` }));
    await step.findByRole('button', { name: 'Skip' });
    return { ...app, step };
  },
};

const toasts = async () => within(await screen.findByRole('region', { name: 'Notifications' }));
const silent = { status: 500, json: { error: '', code: 'internal' } };
const everything = {
  complete: true,
  approve: true,
  reject: true,
  skip: true,
  retry: false,
  claim: false,
  release: false,
  handOver: false,
};

describe.each(Object.entries(PLACES))('%s', (place, open) => {
  beforeEach(() => {
    server.on('GET /api/runs/*', { json: withStep('review', { abilities: everything }) });
  });

  test('confirms that input was sent for approval if the step requires it', async () => {
    const sam = { id: 'sam', name: 'Sam Okafor', email: null, kind: 'user' as const };
    server.on('POST /api/runs/*/complete', { json: withStep('assess', { requiresApproval: true, submittedBy: sam }) });
    const { user, step } = await open('Assess risk tier');
    await user.type(step.getByLabelText('Your input'), 'Tier 2');
    await user.click(step.getByRole('button', { name: 'Complete' }));
    expect(await (await toasts()).findByText('Sent for approval')).toBeDefined();
    expect(screen.queryByText('Step Completed')).toBeNull();
  });

  test('shows an error if a completion fails', async () => {
    server.on('POST /api/runs/*/complete', silent);
    const { user, step } = await open('Assess risk tier');
    await user.type(step.getByLabelText('Your input'), 'Tier 2');
    await user.click(step.getByRole('button', { name: 'Complete' }));
    expect(await step.findByText('Failed to complete step')).toBeDefined();
    expect((await toasts()).getByText('Failed to complete step')).toBeDefined();
  });

  test('shows a refusal once, next to the form field that it concerns', async () => {
    const amount = { id: 'amount', label: 'Amount', kind: 'number' as const, required: true };
    server.on('GET /api/runs/*', { json: withStep('assess', { fields: [amount] }) }).on('POST /api/runs/*/complete', {
      status: 400,
      json: {
        error: 'Amount must be a number',
        code: 'invalid_fields',
        details: [
          { stepId: 'assess', fieldId: 'amount', field: 'output.fields.amount', problem: 'Amount must be a number' },
        ],
      },
    });
    const { user, step } = await open('Assess risk tier');
    await user.type(step.getByLabelText('Amount'), '12');
    await user.click(step.getByRole('button', { name: 'Complete' }));
    await problemAt('Amount', 'Amount must be a number');
    expect(step.getAllByText('Amount must be a number')).toHaveLength(1);
  });

  test('says next to the comments field that comments are required', async () => {
    const sentence = 'Comments are required when rejecting';
    server.on('POST /api/runs/*/steps/review/approve', {
      status: 400,
      json: { error: sentence, code: 'comments_required', details: [{ stepId: 'review' }] },
    });
    const { user, step } = await open('Compliance review');
    await user.click(step.getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(step.getAllByText(sentence)).toHaveLength(1));
    await problemAt('Comments', sentence);
  });

  test.each([
    ['Approve', 'Failed to approve'],
    ['Reject', 'Failed to reject'],
  ])('if %s fails, shows “%s”', async (label, sentence) => {
    server.on(`POST /api/runs/*/steps/review/${label.toLowerCase()}`, silent);
    const { user, step } = await open('Compliance review');
    await user.type(step.getByLabelText('Comments'), 'Not yet');
    await user.click(step.getByRole('button', { name: label }));
    expect(await step.findByText(sentence)).toBeDefined();
    expect((await toasts()).getByText(sentence)).toBeDefined();
  });

  test('shows an error in the dialog if a skip fails', async () => {
    server.on('POST /api/runs/*/steps/assess/skip', silent);
    const { user, step } = await open('Assess risk tier');
    await user.click(step.getByRole('button', { name: 'Skip' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Skip Assess risk tier?' }));
    await user.type(dialog.getByLabelText('Reason'), 'Known vendor');
    await user.click(dialog.getByRole('button', { name: 'Skip step' }));
    expect(await dialog.findByText('Failed to skip step')).toBeDefined();
    expect((await toasts()).getByText('Failed to skip step')).toBeDefined();
  });

  test('if someone else was faster, shows who completed the step, and reloads the run', async () => {
    const { user, step } = await open('Assess risk tier');
    await user.type(step.getByLabelText('Your input'), 'Tier 2');
    server
      .on('POST /api/runs/*/complete', {
        status: 409,
        json: { error: 'This step was completed by Sam Okafor', code: 'step_not_active' },
      })
      .on('GET /api/runs/*', { json: withStep('assess', { state: 'completed' }) });
    await user.click(step.getByRole('button', { name: 'Complete' }));
    expect(await screen.findByText(/This step was completed by Sam Okafor/)).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Complete' })).toBeNull());
    expect(screen.getByText(/This step was completed by Sam Okafor/)).toBeDefined();
    if (place === 'My tasks') expect(screen.getByText(/This step is no longer waiting/)).toBeDefined();
  });
});

test.each(['the run', 'the execution'] as const)('%s shows an error if a retry fails', async (place) => {
  const failed = {
    state: 'failed',
    reason: 'Out of memory',
    abilities: { ...everything, complete: false, retry: true, claim: false, release: false, handOver: false },
  };
  server
    .on('GET /api/runs/*', { json: { ...withStep('assess', failed as Partial<RunStep>), status: 'failed' } })
    .on('POST /api/runs/*/steps/assess/retry', silent);
  const { user, step } = await PLACES[place]('Assess risk tier');
  await user.click(step.getByRole('button', { name: 'Retry' }));
  expect(await step.findByText('Failed to retry the step')).toBeDefined();
});
