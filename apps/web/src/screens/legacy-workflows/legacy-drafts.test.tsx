import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import {
  DRAFT,
  FLOW,
  LIVE,
  PRIYA,
  REVIEWER,
  region,
  button,
  openLegacyWorkflows,
  refusal,
  startLegacyServer,
} from '../../testing/legacy-workflows-scene.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startLegacyServer();
});

describe('drafts', () => {
  test('are created from a sample, but only by editors, and a refusal is shown', async () => {
    server.on('POST /api/workflows/*/drafts', refusal('No'));
    const { user, unmount } = await openLegacyWorkflows();
    await user.click(button('Create sample draft'));
    expect(await region('Workflows').findByText('Failed to create draft')).toBeDefined();
    expect(screen.queryByText('Draft created')).toBeNull();
    server.on('POST /api/workflows/*/drafts', { status: 201, json: { draftId: DRAFT.id } });
    const lists = server.calls('GET /api/workflows').length;
    await user.click(button('Create sample draft'));
    expect(await screen.findByText('Draft created')).toBeDefined();
    expect(region('Workflows').queryByText('Failed to create draft')).toBeNull();
    await waitFor(() => expect(server.calls('GET /api/workflows').length).toBeGreaterThan(lists));
    const [, created] = server.calls('POST /api/workflows/*/drafts');
    expect(created?.body).toMatchObject({ metadata: { title: 'Sample workflow' } });
    unmount();
    server.on('GET /api/auth/me', { json: REVIEWER });
    await openLegacyWorkflows();
    expect(button('Create sample draft').getAttribute('aria-disabled')).toBe('true');
  });

  test('can be merged by reviewers, not by editors; without an open draft the page shows No drafts to merge', async () => {
    const editors = await openLegacyWorkflows();
    expect(button('Merge of draft 00000001').getAttribute('aria-disabled')).toBe('true');
    expect(button('Merge first draft of Flow').getAttribute('aria-disabled')).toBe('true');
    editors.unmount();

    server.on('GET /api/auth/me', { json: REVIEWER }).on('GET /api/workflows/*/versions', { json: [LIVE] });
    const { user } = await openLegacyWorkflows();
    await user.click(button('Merge first draft of Flow'));
    expect(await screen.findByText('No drafts to merge')).toBeDefined();

    server
      .on('GET /api/workflows/*/versions', { json: [{ ...DRAFT, id: 'newer' }, DRAFT, LIVE] })
      .on('POST /api/workflows/*/drafts/*/merge', { json: { version: LIVE } });
    await user.click(button('Merge first draft of Flow'));
    expect(await screen.findByText('Merged')).toBeDefined();
    expect(server.calls('POST /api/workflows/*/drafts/*/merge')[0]?.path).toContain(DRAFT.id);
    server.on('POST /api/workflows/*/drafts/*/merge', refusal('This draft needs more approvals'));
    await user.click(button('Merge of draft 00000001'));
    expect(await screen.findByText('This draft needs more approvals')).toBeDefined();
  });

  test('can be approved and commented on with prefilled text', async () => {
    server
      .on('POST /api/workflows/*/drafts/*/approve', { json: DRAFT })
      .on('POST /api/workflows/*/drafts/*/comments', { status: 201, json: {} });
    server.on('GET /api/auth/me', { json: REVIEWER });
    const { user } = await openLegacyWorkflows();
    await user.click(button('Approve of draft 00000001'));
    expect(await screen.findByText('Approved')).toBeDefined();
    await user.click(button('Comment of draft 00000001'));
    await waitFor(() =>
      expect(server.calls('POST /api/workflows/*/drafts/*/comments')[0]?.body).toEqual({ body: 'Looks good to me.' }),
    );
  });

  test('show why they can’t be approved, or that their workflow is archived', async () => {
    const why = (name: string) => button(name).getAttribute('title');
    const editors = await openLegacyWorkflows();
    expect(why('Approve of draft 00000001')).toBe('Only reviewers can approve drafts');
    editors.unmount();

    server.on('GET /api/auth/me', { json: REVIEWER }).on('GET /api/workflows/*/drafts/*', {
      json: { ...DRAFT, abilities: { approve: false }, contributors: [{ ...PRIYA, saves: 1 }] },
    });
    const own = await openLegacyWorkflows();
    await waitFor(() =>
      expect(why('Approve of draft 00000001')).toBe('You contributed to this draft, so someone else has to review it'),
    );
    own.unmount();

    server.on('GET /api/workflows', { json: [{ ...FLOW, status: 'archived' }] });
    await openLegacyWorkflows();
    for (const act of ['Approve', 'Merge', 'Comment'])
      expect(why(`${act} of draft 00000001`)).toBe('This workflow is archived');
    expect(screen.queryByText(/ live,/)).toBeNull();
    expect(server.calls('POST /api/workflows/*/drafts/*/approve')).toEqual([]);
  });

  test('show five changes and the number of remaining ones', async () => {
    const ids = Array.from({ length: 9 }, (_, n) => `step-${n + 1}`);
    server.on('GET /api/workflows/*/drafts/*/diff', {
      json: {
        summary: { added: ids, removed: [], modified: [] },
        total: 9,
        detailed: ids.map((id) => ({ id, type: 'added', value: {} })),
        metadata: {},
      },
    });
    const { user } = await openLegacyWorkflows();
    await user.click(button('Diff of draft 00000001'));
    expect(await screen.findByText('9 added, 0 removed, 0 modified')).toBeDefined();
    expect(screen.getByText('step-5')).toBeDefined();
    expect(screen.queryByText('step-6')).toBeNull();
    expect(screen.getByText('and 4 more')).toBeDefined();
  });
});
