import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aNotification, aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/notifications/count', { json: { unread: 1 } })
    .on('GET /api/workflows', { json: [] })
    .on('POST /api/notifications/read', { json: { message: 'Marked as read' } });
});
const DRAFT = { key: 'hiring', id: '0199dddd-0000-7000-8000-000000000001' };
const openPage = (query = '') => renderApp(`/app/notifications${query}`, { token: aToken() });

test('shows one line per run or draft, in pages, and says if a review is no longer needed', async () => {
  const closed = aNotification({
    id: '0199aaaa-0000-7000-8000-0000000000d2',
    kind: 'review_requested',
    title: 'Hiring',
    body: 'Sam Okafor requested your review.',
    runId: null,
    draft: DRAFT,
    readAt: '2026-11-20T12:00:00.000Z',
    closedAt: '2026-11-20T12:00:00.000Z',
  });
  server.on('GET /api/notifications', ({ query }) =>
    query.has('cursor')
      ? { json: [closed] }
      : { json: [aNotification({ count: 3 })], headers: { 'x-next-cursor': 'next' } },
  );
  const { user } = openPage();
  const list = within(await screen.findByRole('list', { name: 'Notifications' }));
  expect(list.getByRole('link', { name: /^Unread: Assess risk tier.*2h ago ?, 3 notifications$/s })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show older' }));
  const review = await list.findByRole('link', { name: /^Hiring.*This draft no longer needs your review/s });
  expect(review.getAttribute('href')).toBe(`/app/review?key=hiring&id=${DRAFT.id}`);
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(server.calls('POST /api/notifications/read')).toHaveLength(1));
});

test('filters by unread, kind and workflow, and keeps the filters in the address', async () => {
  server
    .on('GET /api/workflows', { json: [{ key: 'hiring', title: 'Hiring' }] })
    .on('GET /api/notifications', ({ query }) => ({ json: query.has('kind') ? [] : [aNotification()] }));
  const { user, router } = openPage('?workflow=gone');
  expect(await screen.findByRole('link', { name: /Assess risk tier/ })).toBeDefined();
  const markAll = screen.getByRole('button', { name: 'Mark all as read' });
  expect(markAll.getAttribute('aria-disabled')).toBe('true');
  expect(markAll.title).toBe('Clear the filters to mark all as read');
  await user.click(screen.getByRole('button', { name: 'Unread' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Review requests');
  expect(await screen.findByText('No notifications match these filters')).toBeDefined();
  expect(router.state.location.search).toBe('?unread=true&kind=review_requests&workflow=gone');
  const asked = server.calls('GET /api/notifications').at(-1)?.query;
  expect(Object.fromEntries(asked ?? [])).toEqual({
    grouped: 'true',
    kind: 'review_requests',
    unread: 'true',
    workflow: 'gone',
  });
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByRole('link', { name: /Assess risk tier/ })).toBeDefined();
  expect(router.state.location.search).toBe('');
});

test('downloads the listed notifications as a CSV file, each on its own line', async () => {
  const blobs: Blob[] = [];
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}`,
      revokeObjectURL: () => undefined,
    }),
  );
  server.on('GET /api/notifications', ({ query }) => ({
    json: query.has('grouped') ? [aNotification({ count: 2 })] : [aNotification(), aNotification({ body: '=1+1' })],
  }));
  const { user } = openPage('?kind=assignments');
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  expect(await screen.findByText('2 lines')).toBeDefined();
  expect((await blobs[0]?.text())?.split('\r\n')).toHaveLength(4);
  expect(await blobs[0]?.text()).toContain(`"'=1+1"`);
  expect(server.calls('GET /api/notifications').at(-1)?.query.get('kind')).toBe('assignments');
});

test('says if there are no notifications yet or they can’t be loaded', async () => {
  server.on('GET /api/notifications', { json: [] });
  const { unmount } = openPage();
  expect(await screen.findByText('No notifications yet')).toBeDefined();
  unmount();
  server.on('GET /api/notifications', { status: 500, json: { error: 'Something went wrong.', code: 'internal' } });
  openPage();
  expect(within(await screen.findByRole('alert')).getByText('Error loading notifications')).toBeDefined();
});
