import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aDetail, aSummary } from '../../features/workflow-editor/testing/workflows.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aRun, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/workflows', { json: [aSummary()] })
    .on('GET /api/workflows/*', { json: aDetail() })
    .on('GET /api/runs', { json: [] });
});

const openWorkflow = () => renderApp('/app/editor?key=vendor-onboarding&mode=edit', { token: aToken() });

// The top bar and the bottom bar on phones both have this button. Use either.
async function startRun(): Promise<HTMLElement> {
  const [button] = await screen.findAllByRole('button', { name: 'Start Run' });
  if (!button) throw new Error('no Start Run');
  return button;
}

test('suggests a name, requires at least three characters, and starts the run', async () => {
  server.on('POST /api/runs', { status: 201, json: aRun() }).on('GET /api/runs/*', { json: aRun() });
  const { user, router } = openWorkflow();
  await user.click(await startRun());
  const dialog = within(await screen.findByRole('dialog', { name: 'Start Workflow Run' }));
  const name = dialog.getByLabelText<HTMLInputElement>('Run Name');
  expect(name.value).toMatch(/^Vendor onboarding - \d/);
  expect(within(dialog.getByRole('group', { name: 'Name suggestions' })).getAllByRole('button')).toHaveLength(3);

  await user.clear(name);
  expect(dialog.getByText('Run name is required')).toBeDefined();
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Start Run' }).disabled).toBe(true);
  await user.type(name, 'ab');
  await user.click(dialog.getByRole('button', { name: 'Start Run' }));
  expect(await dialog.findByText('Run name must be at least 3 characters long')).toBeDefined();
  expect(server.calls('POST /api/runs')).toHaveLength(0);

  await user.type(name, 'c ');
  await user.selectOptions(dialog.getByLabelText('Priority'), 'urgent');
  await user.click(dialog.getByRole('button', { name: 'Start Run' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/app/runs/${aRun().id}`));
  const [call] = server.calls('POST /api/runs');
  expect(call?.body).toEqual({ key: 'vendor-onboarding', name: 'abc', priority: 'urgent' });
  expect(call?.headers.get('idempotency-key')).toBeTruthy();
});

test('keeps the dialog and its input after a refusal and shows the reason', async () => {
  server.on('POST /api/runs', { status: 409, json: { error: 'Nothing is live', code: 'no_live_version' } });
  const { user } = openWorkflow();
  await user.click(await startRun());
  const dialog = within(await screen.findByRole('dialog', { name: 'Start Workflow Run' }));
  await user.type(dialog.getByLabelText('Description'), 'For the audit');
  await user.click(dialog.getByRole('button', { name: 'Start Run' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Unable to start runNothing is live');
  expect(dialog.getByLabelText<HTMLTextAreaElement>('Description').value).toBe('For the audit');
});
