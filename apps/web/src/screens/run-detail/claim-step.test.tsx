import type { RunStep } from '@stet/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { members } from '../../testing/people.ts';
import { aRun, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { ID, card, openRun, startRunServer } from './run-detail-screen.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startRunServer()
    .on('GET /api/organizations/*/users', { json: members() })
    .on('GET /api/groups', {
      json: [
        {
          id: crypto.randomUUID(),
          slug: 'legal',
          name: 'A legal team',
          members: [crypto.randomUUID()],
          pendingRemovals: [],
        },
      ],
    });
});

const on = (stepId: string, act: string) => `POST /api/runs/${ID}/steps/${stepId}/${act}`;
/** The run with a change of one step's abilities and fields. */
const runWith = (stepId: string, abilities: Partial<RunStep['abilities']>, change: Partial<RunStep> = {}) => {
  const run = aRun();
  return aRun({
    steps: run.steps.map((step) =>
      step.id === stepId ? { ...step, ...change, abilities: { ...step.abilities, ...abilities } } : step,
    ),
  });
};

test('claiming a step keeps what was typed, and shows who has it', async () => {
  server.on(`GET /api/runs/${ID}`, { json: runWith('assess', { claim: true, handOver: true }) });
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.type(step.getByLabelText('Your input'), 'Tier 2');
  const claimed = { by: aRun().startedBy, at: '2026-11-20T14:36:00.000Z' };
  server.on(on('assess', 'claim'), {
    json: { message: 'Claimed', run: runWith('assess', { release: true }, { claimed }) },
  });
  await user.click(step.getByRole('button', { name: 'Claim' }));
  expect(await screen.findByText('Step Claimed')).toBeDefined();
  const after = await card('Assess risk tier');
  expect(after.getByText(/^Claimed by/)).toBeDefined();
  expect(after.queryByRole('button', { name: 'Claim' })).toBeNull();
  expect(after.getByRole('button', { name: 'Release' })).toBeDefined();
  expect(after.getByLabelText<HTMLTextAreaElement>('Your input').value).toBe('Tier 2');
});

test('shows who handed a completed step over', async () => {
  const run = runWith('register', {}, { handedBy: [aRun().startedBy] });
  const history = run.history.map((entry) =>
    entry.stepId === 'register' && entry.action === 'completed'
      ? { ...entry, data: { ...entry.data, handedBy: [aRun().startedBy] } }
      : entry,
  );
  server.on(`GET /api/runs/${ID}`, { json: { ...run, history } });
  openRun();
  const shown = await screen.findAllByText(/, after ⁨?Priya Nair⁩? had handed it over/);
  expect(shown.length).toBeGreaterThanOrEqual(1);
});

test('a person who handed an approval over can take it back', async () => {
  const me = aUser();
  server.on('GET /api/auth/me', { json: me });
  const by = { id: me.id, kind: 'user' as const, name: me.name, email: me.email };
  const to = { kind: 'person' as const, id: crypto.randomUUID(), name: 'Sam Okafor', email: 'sam@halden.example' };
  const handedOver = [{ by, to, at: '2026-11-20T14:36:00.000Z', reason: 'Away' }];
  const change: Partial<RunStep> = { type: 'approval', handedOver };
  server.on(`GET /api/runs/${ID}`, { json: runWith('assess', { release: true, complete: false }, change) });
  server.on(on('assess', 'release'), {
    json: { message: 'Released', run: runWith('assess', {}, { type: 'approval' }) },
  });
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.click(step.getByRole('button', { name: 'Take back' }));
  expect(await screen.findByText('Step Released')).toBeDefined();
});

test('a step is handed over with a reason to a group that is chosen with the keyboard', async () => {
  server.on(`GET /api/runs/${ID}`, { json: runWith('assess', { handOver: true }) });
  server.on(on('assess', 'hand-over'), {
    json: { message: 'Handed over', run: runWith('assess', { complete: false, skip: false }) },
  });
  const { user } = openRun();
  const step = await card('Assess risk tier');
  step.getByRole('button', { name: 'Hand over…' }).focus();
  await user.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: /Hand .*Assess risk tier.* over/ }));
  const person = await dialog.findByRole('combobox', { name: 'Person or group' });
  await waitFor(() => expect(document.activeElement).toBe(person));
  await user.keyboard('{ArrowDown}');
  const list = within(await screen.findByRole('listbox', { name: 'People and groups' }));
  expect(list.getAllByRole('option')[0]?.textContent).toContain('A legal team');
  await user.keyboard('{Enter}');
  await user.type(dialog.getByLabelText('Reason'), 'I am away');
  await user.click(dialog.getByRole('button', { name: 'Hand over' }));
  expect(await screen.findByText('Step Handed Over')).toBeDefined();
  const [call] = server.calls(on('assess', 'hand-over'));
  expect(call?.body).toEqual({ to: 'group:legal', reason: 'I am away' });
});

test('the refusal of a hand-over is shown next to the person', async () => {
  server.on(`GET /api/runs/${ID}`, { json: runWith('review', { handOver: true }) });
  server.on(on('review', 'hand-over'), {
    status: 409,
    json: {
      error: 'Ben can’t approve this step.',
      code: 'hand_over_barred',
      details: [{ field: 'to', stepId: 'review' }],
    },
  });
  const { user } = openRun();
  const step = await card('Compliance review');
  await user.click(step.getByRole('button', { name: 'Hand over…' }));
  const dialog = within(await screen.findByRole('dialog'));
  const person = await dialog.findByRole('combobox', { name: 'Person' });
  await user.click(person);
  await user.keyboard('{ArrowDown}{Enter}');
  await user.type(dialog.getByLabelText('Reason'), 'I am away');
  await user.click(dialog.getByRole('button', { name: 'Hand over' }));
  await waitFor(() => expect(person.getAttribute('aria-invalid')).toBe('true'));
  expect(dialog.getByText('Ben can’t approve this step.')).toBeDefined();
});

test('an empty hand-over form says which fields are missing', async () => {
  server.on(`GET /api/runs/${ID}`, { json: runWith('assess', { handOver: true }) });
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.click(step.getByRole('button', { name: 'Hand over…' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Hand over' }));
  expect(await dialog.findByText('Choose a person or a group')).toBeDefined();
  expect(dialog.getByText('Enter a reason for the hand-over')).toBeDefined();
  expect(server.calls(on('assess', 'hand-over'))).toHaveLength(0);
});
