import type { VersionRecord, WholeDraft, WorkflowDetail, WorkflowSummary } from '@stet/contract';
import type { NotificationStep, Step } from '@stet/domain/steps';
import { newStep } from '@stet/domain/workflows';

const PRIYA = {
  id: '0199aaaa-0000-7000-8000-000000000001',
  name: 'Priya Nair',
  email: 'priya.nair@haldenworks.example',
};
export const DRAFT_ID = '0199dddd-0000-7000-8000-000000000001';

export const STEPS: readonly Step[] = [
  {
    ...newStep('s1'),
    title: 'Register the request',
    assignee: PRIYA.email,
    sla: '4 hours',
    description: 'Record the name.',
    next: ['s2'],
  },
  {
    ...newStep('s2', 'approval'),
    title: 'Compliance review',
    assignee: 'reviewer',
    sla: '2 days',
    description: 'Approve, or return it.',
    next: ['s3'],
  },
  {
    ...(newStep('s3', 'notification') as NotificationStep),
    title: 'Tell finance',
    assignee: 'auto',
    sla: '5 mins',
    description: 'Send the number.',
    config: { recipients: ['finance@haldenworks.example'], channels: ['email'] },
  },
];

export function aVersion(change: Partial<VersionRecord> = {}): VersionRecord {
  return {
    id: DRAFT_ID,
    status: 'draft',
    version: null,
    label: 'Draft',
    revision: 3,
    contentHash: 'a1',
    createdAt: '2026-11-18T09:00:00.000Z',
    updatedAt: '2026-11-18T13:01:00.000Z',
    createdBy: PRIYA,
    stepsCount: 3,
    summary: null,
    approvalsCount: 0,
    commentsCount: 0,
    approvals: null,
    emergency: null,
    ...change,
  };
}

export function aSummary(change: Partial<WorkflowSummary> = {}): WorkflowSummary {
  return {
    key: 'vendor-onboarding',
    metadata: { title: 'Vendor onboarding', description: 'From first request to a vendor who can be paid.' },
    status: 'live',
    version: { number: 7, id: '0199eeee-0000-7000-8000-000000000007' },
    versions: [aVersion({ id: '0199eeee-0000-7000-8000-000000000007', status: 'live', version: 7, label: 'v7' })],
    stepsCount: 3,
    tags: [],
    owner: PRIYA,
    creator: PRIYA,
    updatedAt: '2026-11-18T09:00:00.000Z',
    ...change,
  };
}

export function aDetail(change: Partial<WorkflowDetail> = {}): WorkflowDetail {
  return { ...aSummary(), steps: [...STEPS], draftId: null, revision: 1, ...change };
}

const ABILITIES: WholeDraft['abilities'] = {
  edit: true,
  submit: true,
  withdraw: false,
  approve: false,
  withdrawApproval: false,
  requestChanges: false,
  merge: false,
  publish: false,
  discard: true,
  discardNeedsReason: false,
  setAside: false,
  emergency: false,
  comment: true,
};

export function aDraft(change: Partial<WholeDraft> = {}, abilities: Partial<WholeDraft['abilities']> = {}): WholeDraft {
  return {
    ...aVersion(),
    key: 'vendor-onboarding',
    metadata: aSummary().metadata,
    steps: [...STEPS],
    baseVersion: 7,
    liveVersion: 7,
    nextVersion: 8,
    submitted: null,
    merged: null,
    reviewers: [],
    notCounted: [],
    askedReviewers: [],
    objections: [],
    own: { approvedAt: null, reviewedAt: null },
    contributors: [{ ...PRIYA, saves: 2, through: null, tokens: [] }],
    reviews: [],
    comments: [],
    policy: { requiredApprovals: 1, strict: false },
    requirements: [],
    blockers: [],
    delegated: [],
    abilities: { ...ABILITIES, ...abilities },
    ...change,
  };
}
