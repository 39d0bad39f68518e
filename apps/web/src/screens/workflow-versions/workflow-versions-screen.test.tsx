import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { DRAFT, open, startDocumentationServer, version } from '../../testing/documentation-scene.ts';
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

test('shows when, by whom and why each version was in force, and opens the document for a date', async () => {
  const by = { id: '0199aaaa-0000-7000-8000-000000000009', name: 'Ellen Park', email: 'ellen@haldenworks.example' };
  const period = { act: 'merge' as const, by, reason: null, isEmergency: false };
  server.on('GET /api/workflows/*/versions', {
    json: [
      version({
        version: 7,
        status: 'live',
        inForce: [{ ...period, from: '2026-10-12T10:00:00.000001Z', until: null, endedBy: null }],
      }),
      version({
        version: 6,
        approvals: [
          { reviewer: by, at: '2026-08-18T12:00:00.000Z', comment: '', selfApproved: false, marks: [], counted: false },
        ],
        inForce: [
          {
            ...period,
            act: 'rollback',
            reason: 'v5 was wrong',
            from: '2026-08-19T10:00:00.000001Z',
            until: '2026-10-12T10:00:00.000001Z',
            endedBy: 'merge',
          },
        ],
      }),
    ],
  });
  const { router } = openIt();
  const [seventh, sixth] = within(await screen.findByRole('list', { name: 'Versions' })).getAllByRole('listitem');
  expect(seventh?.textContent).toContain('In force since 12 Oct 2026, merged by Ellen Park');
  expect(sixth?.textContent.replaceAll(/\s/g, ' ')).toContain(
    'In force 19 Aug – 12 Oct 2026, made live again by Ellen Park: “v5 was wrong”',
  );
  expect(sixth?.textContent).toContain('Approved by Ellen Park on 18 Aug 2026 (didn’t count)');
  fireEvent.change(screen.getByLabelText('As of'), { target: { value: '2026-09-01' } });
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/docs/vendor-onboarding'));
  expect(router.state.location.search).toBe('?asOf=2026-09-01');
});
