import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { DRAFT, open, startDocumentationServer } from '../../testing/documentation-scene.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startDocumentationServer().on('GET /api/organizations/*', { json: {} });
});
const openIt = () => open('/app/docs/vendor-onboarding/versions');

test('lists every version with its actions; Edit opens the open draft', async () => {
  const { user } = openIt();
  expect(await screen.findByRole('heading', { level: 1, name: 'Vendor onboarding' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Open review of draft 00000001' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Compare v6 with v5' })).toBeDefined();
  const tabs = within(screen.getByRole('navigation', { name: 'Workflow' }));
  expect(tabs.getByRole('link', { name: 'Edit' }).getAttribute('href')).toBe(
    `/app/editor?key=vendor-onboarding&mode=edit&draftId=${DRAFT.id}`,
  );
  expect(tabs.getByRole('link', { name: 'Runs' }).getAttribute('href')).toBe('/app/runs?workflow=vendor-onboarding');
  await user.click(screen.getByRole('button', { name: 'Rollback to v6' }));
  expect(await screen.findByRole('dialog', { name: 'Rollback' })).toBeDefined();
});

test('shows a message if the workflow doesn’t exist', async () => {
  const missing = { status: 404, json: { error: 'There is no such workflow', code: 'not_found' } };
  server.on('GET /api/workflows/*', missing).on('GET /api/workflows/*/versions', missing);
  openIt();
  expect(await screen.findByRole('heading', { name: 'Not found' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
