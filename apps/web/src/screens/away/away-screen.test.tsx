import type { Delegation } from '@stet/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSummary } from '../../features/workflow-editor/testing/workflows.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import { anOwner, members } from '../../testing/people.ts';
import { aPersonalUser, aToken } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ADDRESS = '/app/settings/away';
const [owner, sam] = members();
const person = ({ id, name, email }: { id: string; name: string; email: string }) => ({ id, name, email });

function aDelegation(change: Partial<Delegation> = {}): Delegation {
  if (!owner || !sam) throw new Error('there are two members');
  return {
    id: '0199aaaa-0000-7000-8000-0000000000e1',
    delegator: person(owner),
    delegate: person(sam),
    from: '2026-11-20T08:00:00.000Z',
    until: '2026-12-04T00:00:00.000Z',
    kinds: ['tasks', 'votes'],
    workflowKeys: null,
    reason: 'On holiday',
    isActive: true,
    ...change,
  };
}

const serve = (delegations: Delegation[] = []) =>
  startFakeServer()
    .on('GET /api/auth/me', { json: anOwner() })
    .on('GET /api/organizations/*/users', { json: members() })
    .on('GET /api/workflows', { json: [aSummary()] })
    .on('GET /api/delegations', { json: delegations });

test('delegates work by keyboard', async () => {
  const server = serve();
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('Nothing is delegated')).toBeDefined();
  server.on('POST /api/delegations', () => {
    server.on('GET /api/delegations', { json: [aDelegation()] });
    return { status: 201, json: aDelegation() };
  });
  screen.getByRole('button', { name: 'Delegate my work' }).focus();
  await user.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Delegate my work' }));
  await user.keyboard('Sam{Enter}');
  await user.clear(dialog.getByLabelText('First day away'));
  await user.type(dialog.getByLabelText('First day away'), '2030-12-01');
  await user.type(dialog.getByLabelText('Last day away'), '2030-12-05');
  dialog.getByRole('checkbox', { name: /Tasks/ }).focus();
  await user.keyboard(' ');
  dialog.getByRole('button', { name: 'Some' }).focus();
  await user.keyboard('{Enter}');
  dialog.getByRole('checkbox', { name: aSummary().metadata.title }).focus();
  await user.keyboard(' ');
  await user.type(dialog.getByLabelText('Reason'), 'On holiday{Enter}');
  expect(await screen.findByText('Sam Okafor does your work')).toBeDefined();
  expect(server.calls('POST /api/delegations')[0]?.body).toEqual({
    toUserId: sam?.id,
    from: new Date(2030, 11, 1).toISOString(),
    until: new Date(2030, 11, 6).toISOString(),
    kinds: ['votes', 'reviews'],
    workflowKeys: [aSummary().key],
    reason: 'On holiday',
  });
});

test('says which fields are missing, and shows refusals next to their fields', async () => {
  const server = serve().on('POST /api/delegations', {
    status: 409,
    json: { error: 'You already delegate this', code: 'delegation_overlaps' },
  });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Delegate my work' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delegate my work' }));
  await user.click(dialog.getByRole('button', { name: 'Delegate' }));
  for (const problem of ['Choose who does your work', 'Choose your last day away', 'Please enter a reason'])
    expect(await dialog.findByText(problem)).toBeDefined();
  expect(server.calls('POST /api/delegations')).toHaveLength(0);
  await user.type(dialog.getByRole('combobox', { name: /Who does your work/ }), 'Sam{Enter}');
  await user.type(dialog.getByLabelText('Last day away'), '2030-12-05');
  await user.type(dialog.getByLabelText('Reason'), 'Away');
  await user.click(dialog.getByRole('button', { name: 'Delegate' }));
  expect(await dialog.findByLabelText(/First day away/, { selector: '[aria-invalid="true"]' })).toBeDefined();
  expect(dialog.getByText('You already delegate this')).toBeDefined();
});

test('asks before it ends a delegation of someone who is back or cancels a planned one', async () => {
  const planned = aDelegation({ id: '0199aaaa-0000-7000-8000-0000000000e2', isActive: false });
  const server = serve([aDelegation(), planned]).on('DELETE /api/delegations/*', { json: { message: 'ok' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: /I’m back/ }));
  const ending = within(await screen.findByRole('dialog', { name: 'End the delegation to Sam Okafor?' }));
  expect(ending.getByText(/Sam Okafor can no longer act for you. What they did on your behalf stays./)).toBeDefined();
  await user.click(ending.getByRole('button', { name: 'Keep it' }));
  expect(server.calls('DELETE /api/delegations/*')).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: /I’m back/ }));
  await user.click(await screen.findByRole('button', { name: 'End it' }));
  expect(await screen.findByText('Welcome back')).toBeDefined();
  await user.click(screen.getByRole('button', { name: /Cancel the delegation to/ }));
  await user.click(await screen.findByRole('button', { name: 'Cancel the delegation' }));
  await waitFor(() => expect(server.calls('DELETE /api/delegations/*')).toHaveLength(2));
});

test('shows a delegate whose work they do, without a way to end the delegation', async () => {
  const given = aDelegation();
  serve([{ ...given, delegator: given.delegate, delegate: given.delegator, workflowKeys: [aSummary().key] }]);
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('You do the work of Sam Okafor')).toBeDefined();
  expect(await screen.findByText(`tasks and votes of ${aSummary().metadata.title}`)).toBeDefined();
  expect(screen.queryByRole('button', { name: /I’m back/ })).toBeNull();
});

test('a personal account has nobody to delegate to', async () => {
  startFakeServer().on('GET /api/auth/me', { json: aPersonalUser() });
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('Nobody can do your work in a personal account')).toBeDefined();
});
