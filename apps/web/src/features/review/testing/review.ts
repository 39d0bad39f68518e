import type { Comment, Diff, DraftFinding, DraftImpact, Review, WholeDraft } from '@stet/contract';
import type { Step } from '@stet/domain/steps';
import { newStep } from '@stet/domain/workflows';

export const PRIYA = {
  id: '0199aaaa-0000-7000-8000-000000000001',
  name: 'Priya Nair',
  email: 'priya.nair@haldenworks.example',
};
export const ELLEN = {
  id: '0199aaaa-0000-7000-8000-000000000003',
  name: 'Ellen Park',
  email: 'ellen.park@haldenworks.example',
};
export const JONAS = {
  id: '0199aaaa-0000-7000-8000-000000000004',
  name: 'Jonas Weber',
  email: 'jonas.weber@haldenworks.example',
};
export const DRAFT_ID = '0199dddd-0000-7000-8000-000000000001';

const step = (id: string, title: string): Step => ({ ...newStep(id), title });
export const STEPS: readonly Step[] = [
  step('register', 'Register the request'),
  step('assess', 'Assess risk tier'),
  step('sign', 'Sign the contract'),
  step('new', 'Confirm the agreement'),
];

export function aReview(change: Partial<Review> = {}): Review {
  return {
    reviewer: ELLEN,
    onBehalfOf: null,
    verdict: 'approved',
    comment: '',
    at: '2026-11-18T12:00:00.000Z',
    current: true,
    standing: 'counts',
    marks: [],
    ...change,
  };
}

export function aComment(change: Partial<Comment> = {}): Comment {
  return {
    id: '0199cccc-0000-7000-8000-000000000001',
    author: JONAS,
    body: 'Which list counts?',
    mentions: [],
    stepId: 'assess',
    at: '2026-11-18T11:52:00.000Z',
    resolvedAt: null,
    resolvedBy: null,
    ...change,
  };
}

/** Priya's draft in review, for a person who can review it. It lacks an approval, so nobody can merge it yet. */
export function aDraftInReview(
  change: Partial<WholeDraft> = {},
  abilities: Partial<WholeDraft['abilities']> = {},
): WholeDraft {
  return {
    id: DRAFT_ID,
    key: 'vendor-onboarding',
    status: 'in_review',
    version: null,
    label: 'Draft',
    revision: 3,
    contentHash: 'a1',
    createdAt: '2026-11-18T09:00:00.000Z',
    updatedAt: '2026-11-18T09:30:00.000Z',
    createdBy: PRIYA,
    stepsCount: STEPS.length,
    summary: null,
    approvalsCount: 0,
    commentsCount: 1,
    approvals: null,
    emergency: null,
    metadata: { title: 'Vendor onboarding', description: '' },
    steps: [...STEPS],
    baseVersion: 7,
    liveVersion: 7,
    nextVersion: 8,
    submitted: { by: PRIYA, at: '2026-11-18T13:06:00.000Z' },
    merged: null,
    reviewers: [ELLEN, JONAS],
    notCounted: [],
    askedReviewers: [],
    objections: [],
    own: { approvedAt: null, reviewedAt: null },
    contributors: [{ ...PRIYA, saves: 6, through: null, tokens: [] }],
    reviews: [],
    comments: [aComment()],
    policy: { requiredApprovals: 1, strict: false },
    requirements: [],
    blockers: [{ code: 'needs_approvals', sentence: '0 of 1 approval', hint: '2 people can approve.' }],
    abilities: {
      edit: false,
      submit: false,
      withdraw: false,
      approve: true,
      withdrawApproval: false,
      requestChanges: true,
      merge: false,
      publish: false,
      discard: false,
      discardNeedsReason: false,
      setAside: false,
      emergency: false,
      comment: true,
      ...abilities,
    },
    delegated: [],
    ...change,
  };
}

/** In this diff, 'assess' is modified, 'new' is added, and 'print' is removed after 'sign'. */
export function aDiff(change: Partial<Diff> = {}): Diff {
  return {
    against: { what: 'live', version: 7, at: null, reviewId: null },
    revision: 3,
    summary: { added: ['new'], removed: ['print'], modified: ['assess'] },
    total: 3,
    detailed: [
      {
        id: 'assess',
        type: 'modified',
        title: 'Assess risk tier',
        changes: {
          sla: { before: '1 day', after: '1 day 4 hours' },
          config: { before: { assignedRole: 'editor' }, after: { assignedRole: 'reviewer', requiresApproval: true } },
        },
      },
      { id: 'print', type: 'removed', value: step('print', 'Print the contract'), behind: 'sign', previous: ['sign'] },
      { id: 'new', type: 'added', value: STEPS[3] },
    ],
    metadata: {},
    ...change,
  };
}

export function aFinding(change: Partial<DraftFinding> = {}): DraftFinding {
  return {
    code: 'approval_removed',
    stepId: 'print',
    title: 'Print the contract',
    effect: 'loss',
    before: 2,
    after: null,
    sentence: 'Print the contract is no longer an approval of this workflow: it needed 2 approvers',
    requires: [],
    ...change,
  };
}

export function anImpact(change: Partial<DraftImpact> = {}): DraftImpact {
  return {
    workflows: 1,
    steps: { added: 1, removed: 1, modified: 1, before: 4, after: 4 },
    integrations: [{ integration: 'slack', change: 'added', stepIds: ['new'] }],
    sla: {
      beforeMs: 90_000_000,
      afterMs: 86_400_000,
      loosened: [
        {
          stepId: 'assess',
          title: 'Assess risk tier',
          before: { text: '1 day', ms: 86_400_000 },
          after: { text: '1 day 4 hours', ms: 100_800_000 },
        },
      ],
    },
    rolesRemoved: [{ role: 'admin', stepIds: ['print'] }],
    approvalsRemoved: [{ stepId: 'print', title: 'Print the contract', kind: 'approval_removed', approvers: 2 }],
    controlLosses: [
      {
        kind: 'approval_removed',
        stepId: 'print',
        title: 'Print the contract',
        sentence: 'Print the contract is no longer an approval of this workflow: it needed 2 approvers',
      },
    ],
    warnings: [],
    openRuns: [{ version: 7, count: 3 }],
    ...change,
  };
}
