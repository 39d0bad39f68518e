import type { FoundWorkflow, VersionInForce, WorkflowDetail } from '@stet/contract';
import { newStep } from '@stet/domain/workflows';
import { screen, within } from '@testing-library/react';
import { startFakeServer } from './fake-server.ts';
import type { FakeServer } from './fake-server.ts';
import { aToken, aUser } from './records.ts';
import { renderApp } from './render-app.tsx';

const ME = aUser();
const SAM = { id: '0199aaaa-0000-7000-8000-000000000002', name: 'Sam Okafor', email: 'sam@haldenworks.example' };
export const PRIYA = { id: ME.id, name: ME.name, email: ME.email };
export const DRAFTS = 'POST /api/workflows/*/drafts';

export const version = (change: Partial<VersionInForce>): VersionInForce => ({
  id: `0199eeee-0000-7000-8000-00000000000${change.version ?? 0}`,
  status: 'superseded',
  version: null,
  label: change.version ? `v${change.version}` : 'Draft',
  revision: 1,
  contentHash: 'ab',
  createdAt: '2026-10-02T14:12:00.000Z',
  updatedAt: '2026-10-02T14:12:00.000Z',
  createdBy: SAM,
  stepsCount: 7,
  summary: null,
  approvalsCount: 1,
  commentsCount: 0,
  approvals: [],
  emergency: null,
  inForce: [],
  ...change,
});
export const DRAFT = version({ id: '8f31c2d0-0000-7000-8000-000000000001', status: 'in_review' });
export const ALL = [DRAFT, version({ version: 7, status: 'live' }), version({ version: 6 }), version({ version: 5 })];

export const workflow = (change: Partial<FoundWorkflow> = {}): FoundWorkflow => ({
  key: 'vendor-onboarding',
  metadata: { title: 'Vendor onboarding', description: 'For every vendor.' },
  status: 'live',
  version: { number: 7, id: '0199eeee-0000-7000-8000-000000000007' },
  versions: ALL.slice(0, 2),
  stepsCount: 7,
  tags: [],
  owner: PRIYA,
  creator: PRIYA,
  updatedAt: '2026-11-18T09:00:00.000Z',
  hits: [],
  ...change,
});
export const other = workflow({
  key: 'expense-approval',
  metadata: { title: 'Expense approval', description: '' },
  version: null,
  versions: [version({ status: 'draft' })],
  status: 'draft',
});
export const detail = ({ hits: _hits, ...summary }: FoundWorkflow): WorkflowDetail => ({
  ...summary,
  steps: Array.from({ length: 7 }, (_step, n) => ({ ...newStep(`s${n}`), title: `Part ${n + 1}`, sla: '4 hours' })),
  draftId: null,
  revision: 1,
});

/** Serves two workflows: one is live and has a draft in review, the other has only a draft. */
export function startDocumentationServer(): FakeServer {
  return startFakeServer()
    .on('GET /api/auth/me', { json: aUser({ orgPermissions: [...ME.orgPermissions, 'draft.merge'] }) })
    .on('GET /api/workflow-search', { json: [workflow(), other] })
    .on('GET /api/workflow-counts', {
      json: { total: 2, draft: 1, in_review: 1, live: 1, archived: 0, tags: [{ tag: 'eu', count: 2 }] },
    })
    .on('GET /api/workflows/*', { json: detail(workflow()) })
    .on('GET /api/workflows/expense-approval', { json: detail(other) })
    .on('GET /api/workflows/*/versions', { json: ALL })
    .on(DRAFTS, { status: 201, json: { draftId: DRAFT.id, revision: 1 } });
}

export const open = (address = '/app/docs') => renderApp(address, { token: aToken() });
export const row = (name: RegExp) => screen.findByRole('row', { name });
export const panelOf = async (name = 'Vendor onboarding') => within(await screen.findByRole('complementary', { name }));
