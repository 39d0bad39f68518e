import type { InstalledOrganization, InstalledPerson, QueuedDelivery, QueuedJob, User } from '@stet/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import { anOwner } from '../../testing/people.ts';
import { aToken } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const ADDRESS = '/app/settings/installation';
const STATE = {
  version: '0.1.0',
  commit: '0123456789ab',
  schema: '0232_ends_are_armed',
  signUp: 'closed',
  signUpDomains: [],
  signUpChange: null,
  passwordSignIn: true,
  organizations: 2,
  people: 3,
  jobs: { due: 0, running: 1, failed: 4 },
  backup: { at: '2026-11-20T02:00:00.000Z', bytes: 12_000_000, verified: true },
  backupProblem: null,
};
const anOrganization = (change: Partial<InstalledOrganization> = {}): InstalledOrganization => ({
  id: '0199aaaa-0000-7000-8000-0000000000a1',
  name: 'Halden Works',
  slug: 'halden-works',
  type: 'team',
  members: 12,
  owners: ['mara@halden.example'],
  workflows: 7,
  runs: 140,
  events: 5120,
  lastEventAt: '2026-11-20T08:00:00.000Z',
  endsAt: null,
  ...change,
});
const aPerson = (change: Partial<InstalledPerson> = {}): InstalledPerson => ({
  id: '0199aaaa-0000-7000-8000-0000000000b1',
  email: 'mara@halden.example',
  name: 'Mara Lind',
  lastSeenAt: '2026-11-20T08:00:00.000Z',
  sessions: 2,
  isProved: true,
  disabledAt: null,
  organizations: [{ name: 'Halden Works', role: 'owner' }],
  ...change,
});
const JOB: QueuedJob = {
  id: '41',
  task: 'mail_notice',
  state: 'failed',
  attempts: 12,
  runAt: '2026-11-20T08:00:00.000Z',
  reason: 'no route to mail.example',
};
const DELIVERY: QueuedDelivery = {
  id: '0199aaaa-0000-7000-8000-0000000000d1',
  organization: 'Halden Works',
  webhook: 'ERP',
  action: 'run.started',
  state: 'dead',
  attempts: 9,
  createdAt: '2026-11-20T08:00:00.000Z',
  reason: 'connection refused',
};
const asAdmin = (change: Partial<User> = { isInstallationAdmin: true }) =>
  startFakeServer()
    .on('GET /api/auth/me', { json: anOwner(change) })
    .on('GET /api/version', { json: { version: '0.1.0', commit: null, schema: '0232' } })
    .on('GET /api/installation', { json: STATE })
    .on('GET /api/installation/organizations', { json: [anOrganization()] })
    .on('GET /api/installation/people', { json: [aPerson()] })
    .on('GET /api/installation/jobs', { json: [JOB] })
    .on('GET /api/installation/deliveries', { json: [DELIVERY] });

test('shows the installation and its organizations to an administrator', async () => {
  asAdmin();
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText(/^Only invited people\./)).toBeDefined();
  expect(screen.getByText('0 due, 1 running, 4 failed')).toBeDefined();
  expect(screen.getByText(/, schema /).innerHTML).toContain('0232_<wbr>ends_<wbr>are_<wbr>armed');
  const list = within(await screen.findByRole('list', { name: 'organizations' }));
  expect(list.getByRole('listitem').textContent).toContain('12 members · 7 workflows · 140 runs');
  expect(screen.getByRole('link', { name: 'Installation' })).toBeDefined();
});

test('searches people on the server', async () => {
  const server = asAdmin();
  const { user } = renderApp(`${ADDRESS}?show=people`, { token: aToken() });
  await screen.findByRole('list', { name: 'people' });
  server.on('GET /api/installation/people', { json: [] });
  await user.type(screen.getByRole('searchbox', { name: /^Search people/ }), 'okafor');
  expect(await screen.findByText('Nobody matches the search')).toBeDefined();
  expect(server.calls('GET /api/installation/people').at(-1)?.query.get('q')).toBe('okafor');
});

test('names the commands for tasks that can’t be done on the page', async () => {
  asAdmin();
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await screen.findByRole('list', { name: 'organizations' });
  expect(screen.getByText('stet admin new-owner PREFIX EMAIL')).toBeDefined();
  expect(screen.getByText('stet admin end-organization PREFIX ARCHIVE')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'People' }));
  expect(await screen.findByText('stet admin change-email OLD NEW')).toBeDefined();
});

test('doesn’t exist for people who aren’t administrators', async () => {
  const server = asAdmin({});
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByRole('heading', { name: 'There is nothing at this address' })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Installation' })).toBeNull();
  expect(server.calls('GET /api/installation')).toHaveLength(0);
});

test('says that a backup failed, and when an organization ends', async () => {
  asAdmin()
    .on('GET /api/installation', { json: { ...STATE, backup: null, backupProblem: 'No space left on device' } })
    .on('GET /api/installation/organizations', { json: [anOrganization({ endsAt: '2026-12-27T08:00:00.000Z' })] });
  renderApp(ADDRESS, { token: aToken() });
  expect((await screen.findByRole('alert')).textContent).toContain('The last backup failed: No space left on device');
  expect(await screen.findByText(/^Ends on/)).toBeDefined();
});

test('disables an account after a confirmation', async () => {
  const server = asAdmin().on('POST /api/installation/people/*', { json: { message: 'Mara can’t log in.' } });
  const { user } = renderApp(`${ADDRESS}?show=people`, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Disable: Mara Lind' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(server.calls('POST /api/installation/people/*')).toHaveLength(0);
  await user.click(dialog.getByRole('button', { name: 'Disable' }));
  expect(await screen.findByText('Mara can’t log in.')).toBeDefined();
  expect(server.calls('POST /api/installation/people/*')[0]?.body).toEqual({ action: 'disable' });
});

test('offers only to enable a disabled account', async () => {
  asAdmin().on('GET /api/installation/people', {
    json: [aPerson({ disabledAt: '2026-11-20T08:00:00.000Z', sessions: 0, isProved: false })],
  });
  renderApp(`${ADDRESS}?show=people`, { token: aToken() });
  const person = within(await screen.findByRole('listitem'));
  expect(person.getAllByRole('button').map((button) => button.textContent)).toEqual(['Enable']);
  expect(person.getByText('Disabled')).toBeDefined();
  expect(person.getByText('Address not proved')).toBeDefined();
});

test('keeps the dialog open with the reason if an action is refused', async () => {
  asAdmin().on('POST /api/installation/people/*', {
    status: 404,
    json: { error: 'There is no such account', code: 'not_found' },
  });
  const { user } = renderApp(`${ADDRESS}?show=people`, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Sign out: Mara Lind' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Sign out' }));
  expect(await dialog.findByText(/There is no such account/)).toBeDefined();
});

test('retries a failed job immediately, and drops it after a confirmation', async () => {
  const server = asAdmin().on('POST /api/installation/jobs/*', { json: { message: 'The job was changed.' } });
  const { user } = renderApp(`${ADDRESS}?show=jobs`, { token: aToken() });
  expect((await screen.findByRole('listitem')).textContent).toContain('no route to mail.example');
  await user.click(screen.getByRole('button', { name: 'Retry now: mail_notice 41' }));
  await user.click(await screen.findByRole('button', { name: 'Drop: mail_notice 41' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Drop' }));
  await screen.findByText('The job was changed.');
  expect(server.calls('POST /api/installation/jobs/*').map(({ body }) => body)).toEqual([
    { action: 'retry' },
    { action: 'drop' },
  ]);
});

test('sends a failed delivery again', async () => {
  const server = asAdmin().on('POST /api/installation/deliveries/*/retry', {
    json: { message: 'It will be sent now.' },
  });
  const { user } = renderApp(`${ADDRESS}?show=deliveries`, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Send again: ERP run.started' }));
  expect(await screen.findByText('It will be sent now.')).toBeDefined();
  expect(server.calls('POST /api/installation/deliveries/*/retry')).toHaveLength(1);
});

test('drops a delivery after a confirmation', async () => {
  const server = asAdmin().on('POST /api/installation/deliveries/*/drop', { json: { message: 'It was dropped.' } });
  const { user } = renderApp(`${ADDRESS}?show=deliveries`, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Drop: ERP run.started' }));
  expect(server.calls('POST /api/installation/deliveries/*/drop')).toHaveLength(0);
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Drop' }));
  expect(await screen.findByText('It was dropped.')).toBeDefined();
  expect(server.calls('POST /api/installation/deliveries/*/drop')).toHaveLength(1);
});

test('changes who can sign up, and shows a refusal in the dialog', async () => {
  const server = asAdmin().on('POST /api/installation/sign-up', {
    status: 400,
    json: { error: 'That is not a domain', code: 'invalid' },
  });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Change who can sign up' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.queryByRole('option', { name: /As set on the server/ })).toBeNull();
  await user.selectOptions(dialog.getByLabelText('Without an invitation'), 'Addresses of some domains');
  await user.type(dialog.getByLabelText('Domains'), 'example.com');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText(/That is not a domain/)).toBeDefined();
  server.on('POST /api/installation/sign-up', { json: { message: 'They can sign up.' } });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('They can sign up.')).toBeDefined();
  expect(server.calls('POST /api/installation/sign-up').at(-1)?.body).toEqual({ signUp: 'domain:example.com' });
});

test('shows who changed sign-up, and lets the server’s setting apply again', async () => {
  const change = { at: '2026-11-20T08:00:00.000Z', by: 'mara@halden.example' };
  const server = asAdmin()
    .on('GET /api/installation', {
      json: { ...STATE, signUp: 'domains', signUpDomains: ['a.example'], signUpChange: change },
    })
    .on('POST /api/installation/sign-up', { json: { message: 'Anyone can sign up.' } });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect((await screen.findByText(/addresses of some domains: a\.example/)).textContent).toContain(
    'mara@halden.example',
  );
  await user.click(screen.getByRole('button', { name: 'Change who can sign up' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.selectOptions(dialog.getByLabelText('Without an invitation'), 'As set on the server (SIGN_UP)');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Anyone can sign up.')).toBeDefined();
  expect(server.calls('POST /api/installation/sign-up')[0]?.body).toEqual({ signUp: null });
});

test('says if a list is empty or couldn’t be loaded', async () => {
  asAdmin()
    .on('GET /api/installation/jobs', { json: [] })
    .on('GET /api/installation/deliveries', { status: 400, json: { error: 'Not now', code: 'invalid' } });
  const { user } = renderApp(`${ADDRESS}?show=jobs`, { token: aToken() });
  expect(await screen.findByRole('heading', { name: 'No job has failed' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Deliveries' }));
  expect(await screen.findByRole('heading', { name: 'Failed to load deliveries' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
});
