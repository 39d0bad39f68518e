import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { aStatus, aVerification, anEvent, ofRun, openAudit, row, startAuditServer } from '../../testing/audit-scene.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startAuditServer();
});

test('an event’s row shows its number, actor, action, subject and hash', async () => {
  openAudit();
  const cells = within(await row(/18199/));
  for (const text of ['Jonas Weber', 'requested changes', 'vendor-onboarding, draft 8f31c2d0', '77d0…b31c', 'aaaaaa']) {
    expect(cells.getByText(text)).toBeDefined();
  }
  expect(within(await row(/18198/)).getByText('Nordlicht GmbH, Assess risk tier')).toBeDefined();
  expect(await screen.findByText('2 of 1,932')).toBeDefined();
});

test('a click or Enter expands a row to show its details and its predecessor', async () => {
  const { user } = openAudit();
  await user.click(within(await row(/18199/)).getByRole('button'));
  expect(screen.getByText('“Please say which list counts.”')).toBeDefined();
  const what = screen.getByText('Subject', { selector: 'dt' });
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

test('shows before and after on separate lines and marks an erased event', async () => {
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

test('marks the events that the last verification covered, and later events as not verified yet', async () => {
  server
    .on('GET /api/audit/status', { json: aStatus({ verification: { ...aVerification(), total: 18_198 } }) })
    .on('GET /api/audit/events', { json: [anEvent(), ofRun] });
  openAudit();
  expect(within(await row(/18199/)).getByTitle('Not verified yet')).toBeDefined();
  expect(within(await row(/18198/)).getByTitle('Verified')).toBeDefined();
});

test('a role change names the member, even if only the id was recorded', async () => {
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

test('shows which events the filter hides, and a workflow’s name before its key', async () => {
  const subject = { type: 'version', id: '0199aaaa-0000-7000-8000-00008f31c2d0', name: 'Vendor onboarding' };
  server.on('GET /api/audit/events', {
    json: [anEvent({ subject }), anEvent({ seq: 18_197, subject }), anEvent({ seq: 4, subject })],
  });
  openAudit('/app/audit?subject=version');
  expect(await screen.findByText('Event 18198 is hidden by the filter')).toBeDefined();
  expect(screen.getByText('Events 5–18196 are hidden by the filter')).toBeDefined();
  expect(screen.getByText('Events 1–3 are hidden by the filter')).toBeDefined();
  expect(within(await row(/18199/)).getByText('Vendor onboarding (vendor-onboarding), draft 8f31c2d0')).toBeDefined();
});

test('an event links to all events of its workflow or run, which link back to all events', async () => {
  const { user, router } = openAudit();
  await user.click(await row(/18198/));
  await user.click(screen.getByRole('link', { name: 'All events of this run' }));
  expect(router.state.location.search).toBe('?run=0199aaaa-0000-7000-8000-000000000009');
  await waitFor(() =>
    expect(server.calls('GET /api/audit/events').at(-1)?.query.get('runId')).toBe(
      '0199aaaa-0000-7000-8000-000000000009',
    ),
  );
  await user.click(screen.getByRole('button', { name: 'Events of one run. Show all events' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
  await user.click(await row(/18199/));
  await user.click(screen.getByRole('link', { name: 'All events of this workflow' }));
  expect(router.state.location.search).toBe('?workflow=vendor-onboarding');
});

test('a named range is stored in the address, and the last custom range is offered again', async () => {
  const { user, router } = openAudit();
  await user.click(await screen.findByRole('button', { name: 'Date range' }));
  await user.click(screen.getByRole('button', { name: 'This year' }));
  const year = new Date().getFullYear();
  expect(router.state.location.search).toBe(`?from=${year}-01-01&to=${year}-12-31`);
  await user.click(screen.getAllByRole('button', { name: /1 Jan .* – 31 Dec/ })[0] as HTMLElement);
  await user.clear(screen.getByLabelText('From'));
  await user.type(screen.getByLabelText('From'), '2020-02-03');
  await user.click(screen.getByRole('button', { name: 'Show' }));
  await waitFor(() => expect(router.state.location.search).toContain('from=2020-02-03'));
  await user.click(screen.getAllByRole('button', { name: /3 Feb 2020/ })[0] as HTMLElement);
  expect(
    within(screen.getByRole('group', { name: 'Ranges' })).getByRole('button', { name: /3 Feb 2020/ }),
  ).toBeDefined();
});

test('the filters are stored in the address and sent to the server', async () => {
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

/** Serves the given number of pages without a match, then a page with one event. */
function fitsAfter(emptyPages: number): void {
  server.on('GET /api/audit/events', ({ query }) => {
    const page = Number(query.get('cursor') ?? 0);
    return page === emptyPages ? { json: [ofRun] } : { json: [], headers: { 'x-next-cursor': String(page + 1) } };
  });
}

test('searches older pages automatically until one has a match', async () => {
  fitsAfter(9);
  openAudit('/app/audit?q=nord');
  expect(await row(/18198/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Older events' })).toBeNull();
});

test('asks whether to continue after ten pages without a match', async () => {
  fitsAfter(10);
  const { user } = openAudit('/app/audit?q=nord');
  expect(await screen.findByText(/Older events haven’t been searched yet/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Older events' }));
  expect(await row(/18198/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Older events' })).toBeNull();
});

test('offers to clear filters if nothing matches, and to retry if loading fails', async () => {
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
