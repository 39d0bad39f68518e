import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { serveEvents } from '../../testing/fake-events.ts';
import type { FakeEvents } from '../../testing/fake-events.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aRunSummary, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';
import { openEventReader } from './read-events.ts';

cleanUpAfterEach();

let server: FakeServer;
let events: FakeEvents;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/runs/summary', {
      json: { total: 1, byStatus: {}, bySla: { breached: 0, at_risk: 0, on_track: 1 } },
    })
    .on('GET /api/workflows', { json: [] })
    .on('GET /api/runs', { json: [aRunSummary()] });
  events = serveEvents(server);
});

const RUN = aRunSummary().id;
const row = () => screen.findByRole('row', { name: /Nordlicht/ });
async function openRuns() {
  const app = renderApp('/app/runs', { token: aToken() });
  await row();
  await waitFor(() => expect(events.openStreams()).toBe(1));
  return app;
}

test('another person’s change to a run appears automatically', async () => {
  await openRuns();
  server.on('GET /api/runs', { json: [aRunSummary({ status: 'paused' })] });
  act(() => events.send('changed', { subject: 'run', id: RUN }));
  await waitFor(async () => expect(within(await row()).getByText('Paused')).toBeDefined());
});

test('changes that don’t affect the screen cause no request', async () => {
  await openRuns();
  const before = server.calls('GET /api/runs').length;
  act(() => events.send('changed', { subject: 'invitation', id: 'x' }));
  act(() => events.send('changed', { subject: 'workflow', id: 'x' }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(server.calls('GET /api/runs')).toHaveLength(before);
});

test('polling every 8 seconds stops while the stream is open and resumes when it is interrupted', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await openRuns();
  const before = server.calls('GET /api/runs').length;
  await vi.advanceTimersByTimeAsync(9000);
  expect(server.calls('GET /api/runs')).toHaveLength(before);

  server.on('GET /api/events', { status: 503, json: { error: 'The server is stopping', code: 'stopping' } });
  act(() => events.closeAll());
  await vi.advanceTimersByTimeAsync(9000);
  await waitFor(() => expect(server.calls('GET /api/runs').length).toBeGreaterThan(before));
});

test('“Last updated” advances with each heartbeat of the stream, unless a change failed to load', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-18T09:00:00Z') });
  await openRuns();
  const shownTime = () => screen.getByText(/^Last updated/).textContent;
  const loaded = shownTime();
  await vi.advanceTimersByTimeAsync(65_000 / 2);
  act(() => events.heartbeat());
  await waitFor(() => expect(shownTime()).not.toBe(loaded));
  const shownBefore = shownTime();

  server.on('GET /api/runs', { status: 500, json: { error: 'Something failed', code: 'internal' } });
  act(() => events.send('changed', { subject: 'run', id: RUN }));
  await screen.findByText(/Couldn’t refresh/);
  await vi.advanceTimersByTimeAsync(20_000);
  act(() => events.heartbeat());
  await vi.advanceTimersByTimeAsync(100);
  expect(shownTime()).toBe(shownBefore);
});

test('when the stream reopens, refetches what may have been missed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await openRuns();
  const before = server.calls('GET /api/runs').length;
  act(() => events.closeAll());
  await vi.advanceTimersByTimeAsync(2500);
  await waitFor(() => expect(events.openStreams()).toBe(1));
  await waitFor(() => expect(server.calls('GET /api/runs').length).toBeGreaterThan(before));
});

test('detects immediately that the session was ended elsewhere', async () => {
  await openRuns();
  server.on('GET /api/auth/me', { status: 401, json: { error: 'Please log in', code: 'session_ended' } });
  act(() => events.send('ended', {}));
  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeDefined();
  await waitFor(() => expect(events.openStreams()).toBe(0));
});

test('parses events from a stream split at any point, and ignores comments, unknown events and invalid data', () => {
  const text = `:\n\nevent: hello\ndata: {}\n\nevent: future\ndata: {}\n\nevent: changed\ndata: {"subject":"run","id":"ä"}\n\nevent: missed\ndata: {broken\n\n`;
  for (let at = 0; at < text.length; at += 1) {
    const read = openEventReader();
    expect([...read(text.slice(0, at)), ...read(text.slice(at))]).toEqual([
      { event: 'hello', data: {} },
      { event: 'changed', data: { subject: 'run', id: 'ä' } },
    ]);
  }
});
