import type { VersionRecord, WorkflowSummary } from '@stet/contract';
import { screen, within } from '@testing-library/react';
import { startFakeServer } from './fake-server.ts';
import type { FakeServer } from './fake-server.ts';
import { aRunSummary, aToken, aUser } from './records.ts';
import { renderApp } from './render-app.tsx';

const ME = aUser();
export const PRIYA = { id: ME.id, name: ME.name, email: ME.email };
export const DRAFT: VersionRecord = {
  id: '8f31c2d0-0000-7000-8000-000000000001',
  status: 'draft',
  version: null,
  label: 'Draft',
  revision: 1,
  contentHash: 'ab',
  createdAt: '2026-10-02T14:12:00.000Z',
  updatedAt: '2026-10-02T14:12:00.000Z',
  createdBy: PRIYA,
  stepsCount: 3,
  summary: null,
  approvalsCount: 0,
  commentsCount: 0,
  approvals: null,
  emergency: null,
};
export const LIVE: VersionRecord = {
  ...DRAFT,
  id: '0199eeee-0000-7000-8000-000000000001',
  status: 'live',
  version: 1,
  label: 'v1',
};
export const FLOW: WorkflowSummary = {
  key: 'flow',
  metadata: { title: 'Flow', description: '' },
  status: 'live',
  version: { number: 1, id: LIVE.id },
  versions: [DRAFT, LIVE],
  stepsCount: 3,
  tags: [],
  owner: PRIYA,
  creator: PRIYA,
  updatedAt: '2026-10-02T14:12:00.000Z',
};
export const EDITOR = aUser({
  role: 'editor',
  orgRole: 'owner',
  orgPermissions: ['workflow.read', 'draft.edit', 'draft.merge', 'run.start', 'step.act_any'],
});
export const REVIEWER = aUser({
  role: 'reviewer',
  orgRole: 'reviewer',
  orgPermissions: ['workflow.read', 'draft.merge', 'draft.review', 'draft.comment'],
});
export const refusal = (error: string, status = 409) => ({ status, json: { error, code: 'refused' } });

/** Serves one workflow with a draft and one run, for an editor. */
export function startLegacyServer(): FakeServer {
  return startFakeServer()
    .on('GET /api/auth/me', { json: EDITOR })
    .on('GET /api/workflows', { json: [FLOW] })
    .on('GET /api/runs', { json: [aRunSummary()] });
}

export async function openLegacyWorkflows() {
  const app = renderApp('/app/legacy-workflows', { token: aToken() });
  await screen.findByRole('heading', { name: 'Flow' });
  return app;
}
export const button = (name: string | RegExp) => screen.getByRole('button', { name });
export const region = (name: string) => within(screen.getByRole('region', { name }));
