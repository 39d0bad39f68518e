import type { VersionRecord } from '@stet/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const sam = { id: '0199aaaa-0000-7000-8000-000000000002', name: 'Sam Okafor', email: 'sam@haldenworks.example' };
function record(n: number, change: Partial<VersionRecord> = {}): VersionRecord {
  return {
    id: `0199aaaa-0000-7000-8000-0000000000e${n}`,
    status: 'superseded',
    version: n,
    label: `v${n}`,
    revision: 1,
    contentHash: `hash-${n}`,
    createdAt: '2026-11-18T08:00:00.000Z',
    updatedAt: '2026-11-18T08:00:00.000Z',
    createdBy: sam,
    stepsCount: 2,
    summary: null,
    approvalsCount: 1,
    commentsCount: 0,
    approvals: null,
    emergency: null,
    ...change,
  };
}
const draft = record(3, { status: 'draft', version: null, label: 'Draft' });
const live = record(2, { status: 'live' });
const first = record(1);

function comparison(from: VersionRecord, to: VersionRecord, change: object = {}) {
  const metadata = { title: 'Vendor onboarding', description: '' };
  return {
    from: { ...from, metadata },
    to: { ...to, metadata },
    summary: { added: [], removed: ['call'], modified: ['collect'] },
    total: 2,
    detailed: [
      { id: 'collect', type: 'modified', changes: { next: { before: ['call'], after: ['file'] } } },
      { id: 'call', type: 'removed', value: { ...STEP, id: 'call', title: 'Call the vendor' } },
    ],
    metadata: {},
    titles: { collect: 'Collect documents', call: 'Call the vendor', file: 'File the register' },
    ...change,
  };
}
const STEP = { type: 'manual', description: 'By phone', assignee: 'editor', sla: '1 day', config: {}, next: [] };

function open(): FakeServer {
  const all = [draft, live, first];
  const byId = (id: string | null) => all.find((each) => each.id === id) ?? first;
  return startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/workflows/*/versions', { json: all })
    .on('GET /api/workflows/*/compare', ({ query }) => ({
      json: comparison(byId(query.get('from')), byId(query.get('to'))),
    }));
}
const asked = (server: FakeServer) =>
  server.calls('GET /api/workflows/*/compare').map(({ query }) => [query.get('from'), query.get('to')]);

test('initially compares the live version with the draft', async () => {
  const server = open();
  renderApp('/app/compare?key=vendor-onboarding', { token: aToken() });
  const changed = await screen.findByRole('region', { name: 'Collect documents' });
  expect(changed.textContent).toContain('Leads toCall the vendorFile the register');
  expect(within(screen.getByRole('region', { name: 'Call the vendor' })).getByText('By phone')).toBeDefined();
  expect(screen.getByRole('list', { name: 'Counts' }).textContent).toBe('0 added1 removed1 modified');
  expect(asked(server)).toEqual([[live.id, draft.id]]);
  expect(screen.getByLabelText<HTMLSelectElement>('To').selectedOptions[0]?.textContent).toBe(
    'Draft by Sam Okafor, saved 18 Nov 2026',
  );
});

test('compares a live version 1 with the highest number, which it replaced in a rollback', async () => {
  const [before, now] = [
    { ...live, status: 'superseded' as const },
    { ...first, status: 'live' as const },
  ];
  const server = open().on('GET /api/workflows/*/versions', { json: [before, now] });
  renderApp('/app/compare?key=vendor-onboarding', { token: aToken() });
  await screen.findByRole('region', { name: 'Collect documents' });
  expect(asked(server)).toEqual([[before.id, now.id]]);
});

test('lets people choose a different pair and swap it, and stores it in the address', async () => {
  const server = open();
  const { user, router } = renderApp('/app/compare?key=vendor-onboarding&from=1&to=2', { token: aToken() });
  await screen.findByRole('region', { name: 'Collect documents' });
  expect(screen.getByLabelText<HTMLSelectElement>('From').selectedOptions[0]?.textContent).toContain('v1, Superseded');
  await user.selectOptions(screen.getByLabelText('To'), draft.id);
  await user.click(screen.getByRole('button', { name: 'Swap' }));
  expect(asked(server)).toEqual([
    [first.id, live.id],
    [first.id, draft.id],
    [draft.id, first.id],
  ]);
  expect(router.state.location.search).toBe(`?key=vendor-onboarding&from=${draft.id}&to=${first.id}`);
});

test('reports an unknown version and the pair that is shown instead', async () => {
  const server = open();
  const { user } = renderApp('/app/compare?key=vendor-onboarding&from=1&to=99', { token: aToken() });
  const note = await screen.findByText(/is not a version/);
  expect(note.textContent).toBe('v99 is not a version of this workflow. The pair above is shown instead.');
  expect(asked(server)).toEqual([[first.id, draft.id]]);
  await user.selectOptions(screen.getByLabelText('To'), live.id);
  expect(screen.queryByText(/is not a version/)).toBeNull();
});

test('reports that two versions have the same content', async () => {
  open().on('GET /api/workflows/*/compare', {
    json: comparison(first, live, { summary: { added: [], removed: [], modified: [] }, total: 0, detailed: [] }),
  });
  renderApp('/app/compare?key=vendor-onboarding&from=1&to=2', { token: aToken() });
  expect(await screen.findByText('v2 is identical to v1.')).toBeDefined();
});

test('reports an unknown workflow', async () => {
  startFakeServer().on('GET /api/auth/me', { json: aUser() });
  renderApp('/app/compare?key=nothing', { token: aToken() });
  expect(await screen.findByRole('heading', { name: 'Workflow not found' })).toBeDefined();
});
