import { newStep } from '@stet/domain/workflows';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { members } from '../../testing/people.ts';
import { aRun } from '../../testing/records.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { ID, card, openRun, startRunServer } from './run-detail-screen.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startRunServer();
});

test('shows the steps, the next steps and the history, newest events first', async () => {
  openRun();
  expect(await screen.findByRole('heading', { level: 1, name: 'Nordlicht GmbH' })).toBeDefined();
  expect(await screen.findByText('2 of 6 steps completed')).toBeDefined();
  expect(screen.getByText('⚡ At Risk')).toBeDefined();
  expect(screen.getByText(/^Assess risk tier is with priya.nair@haldenworks.example, due in 3 h/)).toBeDefined();
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

test('cancelling a run requires a reason and focuses the field if it is missing', async () => {
  const cancel = `POST /api/runs/${ID}/cancel`;
  server.on(cancel, { json: aRun({ status: 'cancelled' }) });
  const { user } = openRun();
  await user.click(await screen.findByRole('button', { name: 'Cancel run' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this run?' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel run' }));
  const reason = dialog.getByLabelText('Reason');
  await waitFor(() => expect(document.activeElement).toBe(reason));
  expect(await dialog.findByText('Enter a reason for cancelling the run')).toBeDefined();
  expect(server.calls(cancel)).toHaveLength(0);
  await user.type(reason, 'Ordered twice');
  await user.click(dialog.getByRole('button', { name: 'Cancel run' }));
  await waitFor(() => expect(server.calls(cancel)[0]?.body).toEqual({ reason: 'Ordered twice' }));
});

test('a paused run can be resumed, but not paused again or worked on', async () => {
  server.on('GET /api/runs/*', {
    json: aRun({ status: 'paused', abilities: { pause: false, resume: true, cancel: true, exportAudit: true } }),
  });
  openRun();
  expect(await screen.findByText(/This run is paused/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Resume' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Complete' })).toBeNull();
});

test('an active step in a failed run can be overdue, but requires no action', async () => {
  const run = aRun();
  const dueAt = new Date(run.now - 66 * 3_600_000).toISOString();
  const abilities = {
    complete: false,
    approve: false,
    reject: false,
    skip: false,
    retry: false,
    claim: false,
    release: false,
    handOver: false,
  };
  server.on('GET /api/runs/*', {
    json: aRun({
      status: 'failed',
      slaState: 'on_track',
      steps: run.steps.map((step) => ({ ...step, abilities, ...(step.id === 'assess' && { dueAt, slaState: null }) })),
    }),
  });
  openRun();
  const late = (await card('Assess risk tier')).getByText('2 d 18 h over');
  expect(late.parentElement?.className).toContain('breached');
  expect(screen.getByText('⚠️ Breached')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Current Step(s)' })).toBeDefined();
  expect(screen.queryByText(/Action Required/)).toBeNull();
});

test('shows that action is required if a run waits for people', async () => {
  openRun();
  expect(await screen.findByRole('heading', { name: 'Current Step(s) - Action Required' })).toBeDefined();
});

test('shows the server’s message after a failure, or a fallback if there is none', async () => {
  const pause = `POST /api/runs/${ID}/pause`;
  server.on(pause, { status: 403, json: { error: 'Your role may not pause runs', code: 'forbidden' } });
  const { user } = openRun();
  await user.click(await screen.findByRole('button', { name: 'Pause' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Pause this run?' }));
  await user.type(dialog.getByLabelText(/Reason/), 'Audit week');
  await user.click(dialog.getByRole('button', { name: 'Pause run' }));
  const toasts = within(await screen.findByRole('region', { name: 'Notifications' }));
  expect(await toasts.findByText('Your role may not pause runs')).toBeDefined();
  expect(server.calls(pause)[0]?.body).toEqual({ reason: 'Audit week' });
  server.on(pause, { status: 500, text: '' });
  await user.click(dialog.getByRole('button', { name: 'Pause run' }));
  expect(await toasts.findByText('Failed to pause the run')).toBeDefined();
});

test('shows members’ addresses as names and other addresses unchanged', async () => {
  const [address, stranger] = ['Sam@haldenworks.example', 'greta@elsewhere.example'];
  const run = aRun();
  const abilities = {
    complete: false,
    approve: false,
    reject: false,
    skip: false,
    retry: false,
    claim: false,
    release: false,
    handOver: false,
  };
  const because = { code: 'not_assigned', sentence: `This step is assigned to ${address}. Admins can help.` };
  server.on('GET /api/organizations/*/users', { json: members() }).on('GET /api/runs/*', {
    json: aRun({
      nextSteps: [{ id: 'sign', name: 'Sign the framework contract', owner: address }],
      steps: run.steps.map((step) => {
        if (step.id === 'assess') return { ...step, assignee: address, abilities, because };
        return step.id === 'sign' ? { ...step, assignee: stranger } : step;
      }),
    }),
  });
  openRun();
  const step = await card('Assess risk tier');
  expect((await step.findByTitle(address)).textContent).toBe('Sam Okafor');
  expect(step.getByText(/^This step is assigned to Sam Okafor\. Admins can help\./)).toBeDefined();
  const region = (name: string) => within(screen.getByRole('region', { name }));
  expect(region('Next Step(s)').getByTitle(address).textContent).toBe('Sam Okafor');
  expect(region('Workflow Progress').getByTitle(address).textContent).toBe('Sam Okafor');
  expect(region('Workflow Progress').getByTitle(stranger).textContent).toBe(stranger);
});

test('people who can’t act see no buttons for actions', async () => {
  const run = aRun();
  const abilities = {
    complete: false,
    approve: false,
    reject: false,
    skip: false,
    retry: false,
    claim: false,
    release: false,
    handOver: false,
  };
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

describe('the main heading', () => {
  test.each([
    [404, 'Run not found', null],
    [400, 'Run not found', null],
    [500, 'Failed to load run', 'ErrorFailed to load run'],
  ])('shows the status %d as “%s” with the toast %s', async (status, title, toast) => {
    server.on('GET /api/runs/*', { status, text: '' });
    openRun();
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeDefined();
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
    const toasts = within(screen.getByRole('region', { name: 'Notifications' }));
    expect(toasts.queryByRole('alert')?.textContent ?? null).toBe(toast);
  });

  test('is "Run" while the run loads', async () => {
    server.on('GET /api/runs/*', () => new Promise(() => undefined));
    openRun();
    expect(await screen.findByRole('heading', { level: 1, name: 'Run' })).toBeDefined();
  });
});

test('an unknown run shows "Run not found"', async () => {
  server.on('GET /api/runs/*', { status: 404, json: { error: 'Run not found', code: 'not_found' } });
  openRun();
  expect(await screen.findByText('Run not found')).toBeDefined();
  expect(screen.getAllByRole('link', { name: /Runs/ }).length).toBeGreaterThan(0);
});

test('a paused run shows who paused it and why; a restarted run links to the run it replaces', async () => {
  const sam = { id: 'sam', name: 'Sam Okafor', email: null, kind: 'user' as const };
  const at = '2026-11-20T10:00:00.000Z';
  server.on('GET /api/runs/*', {
    json: aRun({
      status: 'paused',
      paused: { since: at, by: sam, reason: 'Audit week' },
      restartOf: {
        runId: '4c1e9a07-0000-7000-8000-000000000002',
        name: 'The first try',
        cancelledAt: at,
        isFailed: false,
      },
    }),
  });
  openRun();
  expect(await screen.findByText(/Sam Okafor paused it: “Audit week”/)).toBeDefined();
  expect(screen.getByText(/Started over:/).textContent).toContain('was rejected');
  expect(screen.getByRole('link', { name: 'The first try' }).getAttribute('href')).toContain('0002');
});

test('simulated steps are amber and never have a green check mark', async () => {
  const check = { state: 'completed' as const, type: 'automated' as const, simulated: true };
  const report = { kind: 'automated' as const, simulated: true, reportedMs: 3000 };
  const at = '2026-11-20T10:00:00.000Z';
  const system = { id: 'system', name: 'system', email: null, kind: 'system' as const };
  server.on('GET /api/runs/*', {
    json: aRun({
      steps: aRun().steps.map((step) => (step.id === 'check' ? { ...step, ...check, report } : step)),
      history: [{ stepId: 'check', action: 'completed', at, actor: system, data: { report } }],
    }),
  });
  const { container } = openRun();
  const marks = await screen.findAllByText(/^Simulated/);
  const badges = marks.map((mark) => mark.closest('[class*="badge"]')?.className);
  expect(badges).toEqual([expect.stringContaining('warn'), expect.stringContaining('warn')]);
  const line = [...container.querySelectorAll('li[data-state]')].find((each) =>
    each.textContent?.includes('sanctions'),
  );
  expect(line?.getAttribute('data-state')).toBe('simulated');
  expect(line?.querySelector('[class*="live"]')).toBeNull();
  const segments = [...container.querySelectorAll('[role=progressbar] > i')];
  const position = aRun().steps.findIndex(({ id }) => id === 'check');
  expect(segments[position]?.className).toContain('simulated');
});

test('says what a condition checked and how it continued', async () => {
  const id = '0199aaaa-0000-7000-8000-0000000000f1';
  const [first, second, ...others] = aRun().steps;
  if (!first || !second) throw new Error('the run has no steps');
  const decided = {
    ...second,
    state: 'completed' as const,
    type: 'condition' as const,
    report: { kind: 'condition' as const, result: true },
  };
  const { workflow } = aRun();
  const planned = [
    { ...newStep(id), title: 'Rate the vendor', next: [second.id] },
    {
      ...newStep(second.id, 'condition'),
      type: 'condition' as const,
      config: { condition: `get value(outputs, "${id}").fields.risk_score > 60`, trueNext: 'end' },
      next: ['end'],
    },
    { ...newStep('end'), title: 'Ask the board', next: [] },
  ];
  server.on('GET /api/runs/*', {
    json: aRun({ steps: [{ ...first, id }, decided, ...others], workflow: { ...workflow, steps: planned } }),
  });
  openRun();
  const sentence = await screen.findByText('Risk score of Rate the vendor is more than 60');
  expect(sentence.parentElement?.textContent).toMatch(/ was true, continued with .?Ask the board/);
});
