import type { AuditEventView, AuditStatus } from '@stet/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const hash = (seq: number): string => seq.toString(16).padStart(64, 'a');
const verification: NonNullable<AuditStatus['verification']> = {
  state: 'ok',
  startedAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
  done: 18_204,
  total: 18_204,
  firstBadSeq: null,
  problem: null,
  sentence: null,
};
const aStatus = (change: Partial<AuditStatus> = {}): AuditStatus => ({
  events: 18_204,
  eventsInRange: 1932,
  firstAt: '2025-03-03T08:00:00.000Z',
  head: { seq: 18_204, hash: hash(18_204), at: '2026-11-20T14:32:07.000Z' },
  checkpoint: { size: 18_204, at: '2026-11-20T14:33:00.000Z', note: 'stet/…' },
  key: 'stet/org+01234567+AAAA',
  verification,
  ...change,
});
const anEvent = (change: Partial<AuditEventView> = {}): AuditEventView => ({
  seq: 18_199,
  at: '2026-11-20T11:52:41.123456Z',
  actor: { id: 'u1', name: 'Jonas Weber', email: 'jonas@haldenworks.example', kind: 'user' },
  action: 'draft.changes_requested',
  subject: { type: 'version', id: '0199aaaa-0000-7000-8000-00008f31c2d0', name: null },
  run: null,
  step: null,
  sessionId: '0199aaaa-0000-7000-8000-000077d0b31c',
  data: { key: 'vendor-onboarding', contentHash: 'ab'.repeat(32), comment: 'Please say which list counts.' },
  isErased: false,
  prev: hash(18_198),
  hash: hash(18_199),
  ...change,
});
const ofRun = anEvent({
  seq: 18_198,
  at: '2026-11-19T10:00:00.000001Z',
  actor: { id: 'system', name: 'system', email: null, kind: 'system' },
  action: 'sla.at_risk',
  subject: { type: 'run', id: 'r1', name: null },
  run: { id: '0199aaaa-0000-7000-8000-000000000009', name: 'Nordlicht GmbH' },
  step: { id: 'assess', title: 'Assess risk tier' },
  sessionId: null,
  data: { stepId: 'assess' },
  hash: hash(18_198),
});

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/organizations/*/users', {
      json: [{ id: 'u1', name: 'Jonas Weber', email: 'j@x.example', role: 'editor' }],
    })
    .on('GET /api/audit/status', { json: aStatus() })
    .on('GET /api/audit/events', { json: [anEvent(), ofRun] });
});

const openAudit = (address = '/app/audit') => renderApp(address, { token: aToken() });
const row = (name: RegExp) => screen.findByRole('row', { name });

test('an event is a row: number, who, what, on what, and its hash', async () => {
  openAudit();
  const cells = within(await row(/18199/));
  for (const text of ['Jonas Weber', 'requested changes', 'vendor-onboarding, draft 8f31c2d0', '77d0…b31c', 'aaaaaa']) {
    expect(cells.getByText(text)).toBeDefined();
  }
  expect(within(await row(/18198/)).getByText('Nordlicht GmbH, Assess risk tier')).toBeDefined();
  expect(await screen.findByText('2 of 1,932')).toBeDefined();
});

test('a row opens to what was said and what it follows, by click and by Enter', async () => {
  const { user } = openAudit();
  await user.click(within(await row(/18199/)).getByRole('button'));
  expect(screen.getByText('“Please say which list counts.”')).toBeDefined();
  const what = screen.getByText('On what', { selector: 'dt' });
  expect(what.nextElementSibling?.textContent).toBe('vendor-onboarding, draft 8f31c2d0');
  expect(screen.getByText('sha256 abab abab abab … abab')).toBeDefined();
  expect(screen.getByText('aaaaaa, no. 18198')).toBeDefined();
  expect(within(await row(/18199/)).getByRole('button', { expanded: true })).toBeDefined();
  await user.keyboard('{ArrowDown}{Enter}');
  expect(screen.queryByText('“Please say which list counts.”')).toBeNull();
  expect(screen.getByText('2026-11-19T10:00:00.000001Z')).toBeDefined();
  await user.keyboard('{Escape}');
  expect(screen.queryByText('2026-11-19T10:00:00.000001Z')).toBeNull();
});

test('before and after stand apart, and an erased event says that it was', async () => {
  server.on('GET /api/audit/events', {
    json: [
      anEvent({ action: 'member.role_changed', data: { before: { role: 'editor' }, after: { role: 'admin' } } }),
      anEvent({ seq: 7, data: null, isErased: true }),
    ],
  });
  const { user } = openAudit();
  await user.click(await row(/18199/));
  expect(screen.getByText('Before').nextElementSibling?.textContent).toBe('role: editor');
  expect(screen.getByText('After').nextElementSibling?.textContent).toBe('role: admin');
  await user.click(await row(/^7 /));
  expect(screen.getByText(/Personal data was erased/)).toBeDefined();
});

test('the mark of verification ends where the last verification did', async () => {
  server
    .on('GET /api/audit/status', { json: aStatus({ verification: { ...verification, total: 18_198 } }) })
    .on('GET /api/audit/events', { json: [anEvent(), ofRun] });
  openAudit();
  expect(within(await row(/18199/)).getByTitle('Not verified yet')).toBeDefined();
  expect(within(await row(/18198/)).getByTitle('Verified')).toBeDefined();
});

test('a change of role names whose it was, also where only the id was recorded', async () => {
  const change = { before: { role: 'editor' }, after: { role: 'admin' } };
  const subject = { type: 'user', id: 'u2', name: 'Called Today' };
  server.on('GET /api/audit/events', {
    json: [
      anEvent({ action: 'member.role_changed', subject, data: { name: 'Bo Li', email: 'bo@x.example', ...change } }),
      anEvent({ seq: 7, action: 'member.role_changed', subject, data: change }),
    ],
  });
  openAudit();
  expect(within(await row(/18199/)).getByText('Bo Li')).toBeDefined();
  expect(within(await row(/^7 /)).getByText('Called Today')).toBeDefined();
});

test('a chain that holds is sealed, and says how far and since when', async () => {
  openAudit();
  const seal = within(await screen.findByRole('region', { name: 'Chain verified' }));
  expect(seal.getByText('Every event follows from the one before.')).toBeDefined();
  expect(seal.getByText('18,204')).toBeDefined();
  expect(seal.getByText(/^up to 18,204/)).toBeDefined();
  expect(seal.getByText(/just now$/)).toBeDefined();
  expect(server.calls('POST /api/audit/verify')).toHaveLength(0);
});

test('a broken chain names its first bad event, and the thread ends there', async () => {
  server.on('GET /api/audit/status', {
    json: aStatus({
      verification: {
        ...verification,
        state: 'broken',
        firstBadSeq: 18_199,
        problem: 'digest',
        sentence: 'Event 18199 says something else than what was recorded',
      },
    }),
  });
  openAudit();
  const seal = within(await screen.findByRole('region', { name: 'Chain broken' }));
  expect(seal.getByText(/Event 18199 says something else than what was recorded\. From no\. 18199 on/)).toBeDefined();
  expect(await screen.findByText('is not as it was recorded')).toBeDefined();
});

test('looking at a chain that nobody checked checks it, with progress', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let asked = 0;
  const running = { ...verification, state: 'running' as const, done: 3000 };
  server
    .on('GET /api/audit/status', () => ({
      json: aStatus({
        verification:
          server.calls('POST /api/audit/verify').length === 0 ? null : (asked += 1) > 2 ? verification : running,
      }),
    }))
    .on('POST /api/audit/verify', { json: aStatus({ verification: running }) });
  openAudit();
  expect(await screen.findByText('3,000 of 18,204 events')).toBeDefined();
  expect(await screen.findByRole('region', { name: 'Chain verified' })).toBeDefined();
  expect(server.calls('POST /api/audit/verify')).toHaveLength(1);
});

test('it is checked again on request, and a refusal says why', async () => {
  server.on('POST /api/audit/verify', { status: 503, json: { error: 'The server is stopping', code: 'stopping' } });
  const { user } = openAudit();
  await user.click(await screen.findByRole('button', { name: 'Verify again' }));
  expect(await screen.findByText('The server is stopping')).toBeDefined();
});

test('filters stand in the address and go to the server', async () => {
  const { user, router } = openAudit('/app/audit?q=nord&subject=run&action=nonsense');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'What' }), 'SLA breached');
  await screen.findByRole('option', { name: 'Jonas Weber' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Who' }), 'Jonas Weber');
  await waitFor(() =>
    expect(Object.fromEntries(server.calls('GET /api/audit/events').at(-1)?.query ?? [])).toEqual({
      actor: 'u1',
      action: 'sla.breached',
      subject: 'run',
      q: 'nord',
    }),
  );
  expect(router.state.location.search).toBe('?actor=u1&action=sla.breached&subject=run&q=nord');
  expect(await screen.findByText('2 events')).toBeDefined();
});

/** Nothing fits, for so many pages, and then one event does. */
function fitsAfter(emptyPages: number): void {
  server.on('GET /api/audit/events', ({ query }) => {
    const page = Number(query.get('cursor') ?? 0);
    return page === emptyPages ? { json: [ofRun] } : { json: [], headers: { 'x-next-cursor': String(page + 1) } };
  });
}

test('older pages are looked through without being asked, where nothing of a page fits', async () => {
  fitsAfter(9);
  openAudit('/app/audit?q=nord');
  expect(await row(/18198/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Older events' })).toBeNull();
});

test('after ten pages of which nothing fits one is asked whether to go on', async () => {
  fitsAfter(10);
  const { user } = openAudit('/app/audit?q=nord');
  expect(await screen.findByText(/Older events were not searched yet/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Older events' }));
  expect(await row(/18198/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Older events' })).toBeNull();
});

test('nothing found can be cleared, and a failed load tried again', async () => {
  server.on('GET /api/audit/events', { json: [] });
  const { user, router } = openAudit('/app/audit?q=nobody');
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));

  server.on('GET /api/audit/events', { status: 500, text: '' });
  const failing = openAudit('/app/audit?q=again');
  expect(await screen.findByText('Error loading events')).toBeDefined();
  server.on('GET /api/audit/events', { json: [anEvent()] });
  await failing.user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await row(/18199/)).toBeDefined();
});

test('the export says how many events before it starts, and takes the days of the list', async () => {
  const create = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  server.on('GET /api/audit/export.ndjson', { text: '{}' });
  const { user } = openAudit('/app/audit?from=2026-10-01&to=2026-11-20');
  const card = within(await screen.findByRole('region', { name: 'Export' }));
  expect(await card.findByText('1,932 events.')).toBeDefined();
  expect(card.getByRole('button', { name: '1 Oct 2026 – 20 Nov 2026' })).toBeDefined();
  expect(card.getByText('stet/org+01234567+AAAA')).toBeDefined();
  await user.click(card.getByRole('button', { name: 'Data' }));
  await waitFor(() => expect(server.calls('GET /api/audit/export.ndjson')).toHaveLength(1));
  const query = server.calls('GET /api/audit/export.ndjson')[0]?.query;
  expect(query?.get('from')).toBe(new Date('2026-10-01T00:00:00').toISOString());
  expect(query?.get('to')).toBe(new Date('2026-11-20T23:59:59.999').toISOString());
  await waitFor(() => expect(create).toHaveBeenCalledOnce());
});

test('those who may not see it aren’t offered the way, and read why', async () => {
  const may = openAudit();
  expect((await screen.findAllByRole('link', { name: 'Audit trail' })).length).toBeGreaterThan(0);
  may.unmount();
  server.on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read'] }) });
  openAudit();
  expect(
    await screen.findByText("You don't have permission to see the audit trail of this organization."),
  ).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Audit trail' })).toBeNull();
  expect(server.calls('GET /api/audit/events').length).toBeLessThan(2);
});
