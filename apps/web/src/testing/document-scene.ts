import type { VersionInForce, WorkflowDocument } from '@stet/contract';
import type { Step } from '@stet/domain/steps';
import { newStep } from '@stet/domain/workflows';
import { screen, within } from '@testing-library/react';
import { startFakeServer } from './fake-server.ts';
import type { FakeServer } from './fake-server.ts';
import { aToken, aUser } from './records.ts';
import { renderApp } from './render-app.tsx';

const SAM = { id: '0199aaaa-0000-7000-8000-000000000002', name: 'Sam Okafor', email: 'sam@haldenworks.example' };
const GRETA = { id: '0199aaaa-0000-7000-8000-000000000003', name: 'Greta Holm', email: 'greta@haldenworks.example' };

export const V3: VersionInForce = {
  id: '0199eeee-0000-7000-8000-000000000003',
  status: 'live',
  version: 3,
  label: 'v3',
  revision: 1,
  contentHash: 'ab'.repeat(32),
  createdAt: '2026-10-02T14:12:00.000Z',
  updatedAt: '2026-10-02T14:12:00.000Z',
  createdBy: SAM,
  stepsCount: 3,
  summary: null,
  approvalsCount: 1,
  commentsCount: 0,
  approvals: [],
  emergency: null,
  inForce: [],
};
export const V2: VersionInForce = {
  ...V3,
  id: '0199eeee-0000-7000-8000-000000000002',
  status: 'superseded',
  version: 2,
  label: 'v2',
};
export const DRAFT: VersionInForce = {
  ...V3,
  id: '8f31c2d0-0000-7000-8000-000000000001',
  status: 'draft',
  version: null,
  label: 'Draft',
};

export const step = (id: string, title: string, change: Partial<Step> = {}): Step => ({
  ...newStep(id),
  title,
  description: '',
  ...change,
});
const STEPS: Step[] = [
  step('a', 'Register', { description: 'Use **care**.', next: ['b'] }),
  step('b', 'Decide', {
    type: 'condition',
    config: { condition: 'amount > 10', trueNext: 'c', falseNext: 'd' },
    next: ['c', 'd'],
  }),
  step('c', 'Sign', { next: ['d'] }),
  step('d', 'File', { sla: '2 days' }),
];

export const aDocument = (change: Partial<WorkflowDocument> = {}): WorkflowDocument => ({
  ...V3,
  key: 'contract',
  archived: false,
  metadata: { title: 'Contract', description: 'For every contract.' },
  steps: STEPS,
  owner: SAM,
  contributors: [SAM],
  liveSince: '2026-10-02T14:12:00.000Z',
  mergedAt: '2026-10-02T14:12:00.000Z',
  mergedBy: GRETA,
  approvals: [
    { reviewer: GRETA, marks: [], at: '2026-10-01T12:00:00.000Z', comment: '', selfApproved: false, counted: true },
  ],
  slaTotalMs: 2 * 86_400_000,
  asOf: null,
  ...change,
});

/** Serves a live document with one earlier version and a draft. */
export function startDocumentServer(): FakeServer {
  return startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/workflows/*/document', { json: aDocument() })
    .on('GET /api/workflows/*/versions', { json: [DRAFT, V3, V2] });
}

export async function open(address = '/app/docs/contract') {
  const app = renderApp(address, { token: aToken() });
  return { ...app, article: within(await screen.findByRole('article', { name: 'Contract' })) };
}
