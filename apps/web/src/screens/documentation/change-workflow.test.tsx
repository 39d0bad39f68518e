import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aUser } from '../../testing/records.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import {
  ALL,
  DRAFT,
  DRAFTS,
  PRIYA,
  detail,
  open,
  panelOf,
  row,
  startDocumentationServer,
  version,
  workflow,
} from '../../testing/documentation-scene.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startDocumentationServer();
});

describe('changing a workflow', () => {
  test('Change in editor creates a draft for changes and opens it', async () => {
    const { user, router } = open('/app/docs?key=vendor-onboarding');
    await user.click(await (await panelOf()).findByRole('button', { name: 'Change in editor' }));
    expect(await screen.findByText('Draft created. Opening editor...')).toBeDefined();
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
    expect(router.state.location.search).toContain(`key=vendor-onboarding&draftId=${DRAFT.id}`);
    expect(server.calls(DRAFTS)[0]?.body).toMatchObject({
      key: 'vendor-onboarding',
      metadata: { title: 'Vendor onboarding', description: 'For every vendor. (copy for changes)' },
    });
  });

  test('Create new version creates a draft with the live version’s description', async () => {
    const { user, router } = open();
    await user.click(within(await row(/Vendor onboarding/)).getByRole('button', { name: 'Create new version' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
    expect(server.calls(DRAFTS)[0]?.body).toMatchObject({ metadata: { description: 'For every vendor.' } });
  });

  test('Create new version opens the user’s own open draft if there is one', async () => {
    const own = version({ id: '8f31c2d0-0000-7000-8000-000000000002', status: 'draft', createdBy: PRIYA });
    server.on('GET /api/workflows/*', { json: detail(workflow({ versions: [own, ...ALL.slice(0, 2)] })) });
    const { user, router } = open();
    await user.click(within(await row(/Vendor onboarding/)).getByRole('button', { name: 'Create new version' }));
    await waitFor(() => expect(router.state.location.search).toContain(`draftId=${own.id}`));
    expect(server.calls(DRAFTS)).toHaveLength(0);
  });

  test('shows an error on the same screen if a draft can’t be created', async () => {
    server.on(DRAFTS, { status: 409, json: { error: 'This workflow is archived', code: 'workflow_archived' } });
    const { user, router } = open('/app/docs?key=vendor-onboarding');
    await user.click(await (await panelOf()).findByRole('button', { name: 'Change in editor' }));
    const toasts = within(screen.getByRole('region', { name: 'Notifications' }));
    expect(await toasts.findByText('Failed to create draft')).toBeDefined();
    expect(toasts.getByText('This workflow is archived')).toBeDefined();
    expect(screen.getAllByRole('alert'), 'on the screen and in a toast').toHaveLength(2);
    expect(router.state.location.pathname).toBe('/app/docs');
  });

  test('isn’t offered to people without permission to edit', async () => {
    server.on('GET /api/auth/me', { json: aUser({ orgPermissions: ['workflow.read'] }) });
    open('/app/docs?key=vendor-onboarding');
    const panel = await panelOf();
    await panel.findByRole('link', { name: /Open review/ });
    expect(screen.queryByRole('button', { name: /Change in editor|Create new version|Duplicate|^Run$/ })).toBeNull();
    expect(panel.queryByRole('button', { name: /Rollback/ })).toBeNull();
  });
});
