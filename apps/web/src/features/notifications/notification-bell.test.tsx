import type { Notification } from '@stet/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';
import { serveEvents } from '../../testing/fake-events.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import { aNotification, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();
beforeAll(
  () =>
    Promise.all([
      import('../../app/signed-in-app.tsx'),
      import('../../screens/runs/runs-screen.tsx'),
      import('./components/notification-list.tsx'),
    ]),
  60_000,
);

const notification = aNotification;
const open = (unread: number, list: Notification[] = []) =>
  startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/runs', { json: [] })
    .on('GET /api/notifications/count', { json: { unread } })
    .on('GET /api/notifications', { json: list })
    .on('POST /api/notifications/*/read', { json: notification({ readAt: new Date().toISOString() }) })
    .on('POST /api/notifications/read', { json: { message: 'Marked as read' } });

test('shows the unread count; opening a notification marks it as read and opens its run', async () => {
  const read = notification({
    id: '0199aaaa-0000-7000-8000-0000000000d2',
    title: 'Sign',
    readAt: '2026-11-20T12:00:00.000Z',
  });
  const server = open(1, [notification(), read]);
  const { user, router } = renderApp('/app/runs', { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
  const list = await screen.findByRole('dialog', { name: /^Notifications/ });
  await user.click(await within(list).findByRole('link', { name: /^Unread: Assess risk tier/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/runs/4c1e9a07-0000-7000-8000-000000000001'));
  await waitFor(() => expect(server.calls('POST /api/notifications/*/read')).toHaveLength(1));
  expect(server.calls('POST /api/notifications/*/read')[0]).toMatchObject({
    path: expect.stringContaining('d1/read') as unknown,
    body: { group: true },
  });
});

test('a notification about a draft opens its review', async () => {
  const asked = notification({
    kind: 'review_requested',
    title: 'Vendor onboarding',
    body: 'Priya Nair requested your review.',
    runId: null,
    stepId: null,
    draft: { key: 'vendor-onboarding', id: '0199dddd-0000-7000-8000-000000000001' },
  });
  open(1, [asked]);
  const { user, router } = renderApp('/app/runs', { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
  await user.click(await screen.findByRole('link', { name: /^Unread: Vendor onboarding/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/review'));
  expect(router.state.location.search).toBe('?key=vendor-onboarding&id=0199dddd-0000-7000-8000-000000000001');
});

test('a notification about a broken audit trail opens the audit screen', async () => {
  open(1, [notification({ kind: 'trail_broken', title: 'Audit trail is broken', runId: null, stepId: null })]);
  const { user, router } = renderApp('/app/runs', { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
  await user.click(await screen.findByRole('link', { name: /^Unread: Audit trail is broken/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/audit'));
});

test('shows a batch of steps for a role as one line that links to the list of these tasks', async () => {
  open(1, [notification({ role: 'reviewer', count: 30 })]);
  const { user, router } = renderApp('/app/runs', { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
  const line = await screen.findByRole('link', {
    name: /^Unread: 30 steps for reviewers.*Most recent: Assess risk tier/s,
  });
  await user.click(line);
  await waitFor(() =>
    expect(router.state.location.pathname + router.state.location.search).toBe('/app/tasks?show=role'),
  );
});

test('the list links to the page with all notifications', async () => {
  const server = open(1, [notification()]);
  const { user, router } = renderApp('/app/runs', { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
  await user.click(await screen.findByRole('link', { name: 'All notifications' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/notifications'));
  expect(server.calls('GET /api/notifications')[0]?.query.get('grouped')).toBe('true');
});

test('the list links to the preferences', async () => {
  open(0);
  const { user, router } = renderApp('/app/runs', { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Notifications' }));
  await user.click(await screen.findByRole('link', { name: 'Preferences' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/settings/notifications'));
});

test('marks all notifications up to the newest shown one as read', async () => {
  const newest = notification();
  const server = open(2, [newest]);
  const { user } = renderApp('/app/runs', { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }));
  server
    .on('GET /api/notifications/count', { json: { unread: 0 } })
    .on('GET /api/notifications', { json: [notification({ readAt: newest.createdAt })] });
  await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull());
  expect(server.calls('POST /api/notifications/read')[0]?.body).toEqual({ upTo: newest.createdAt });
});

test('updates the unread count when a notification arrives', async () => {
  const server = open(0);
  const events = serveEvents(server);
  const { user } = renderApp('/app/runs', { token: aToken() });
  const bell = await screen.findByRole('button', { name: 'Notifications' });
  await user.click(bell);
  expect(await screen.findByText('No notifications yet')).toBeDefined();
  await waitFor(() => expect(events.openStreams()).toBe(1));
  server.on('GET /api/notifications/count', { json: { unread: 100 } });
  act(() => events.send('changed', { subject: 'notification', id: 'x' }));
  expect(await screen.findByRole('button', { name: 'Notifications, more than 99 unread' })).toBeDefined();
});
