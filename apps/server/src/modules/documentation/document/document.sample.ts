import type { WorkflowDocument } from '@stet/contract';
import type { Step } from '@stet/domain/steps';
import { newStep } from '@stet/domain/workflows';

const PRIYA = { id: '0199aaaa-0000-7000-8000-000000000001', name: 'Priya Nair', email: 'priya@x.example' };
const GRETA = { id: '0199aaaa-0000-7000-8000-000000000002', name: 'Greta Holm', email: 'greta@x.example' };

const STEPS: Step[] = [
  {
    ...newStep('register'),
    type: 'manual',
    title: 'Register the claim',
    assignee: 'editor',
    sla: '4 hours',
    description: '# What is needed\n\n1. The receipt\n2. The **cost centre**',
    config: {
      assignedRole: 'editor',
      fields: [
        { id: 'amount', label: 'Amount', kind: 'number', required: true, max: 9000, unit: 'EUR', help: 'Without tax' },
        { id: 'reasons', label: 'Reasons *', kind: 'many_of', options: ['Travel', 'Food'], required: false },
      ],
    },
    next: ['decide'],
  },
  {
    ...newStep('decide', 'condition'),
    type: 'condition',
    title: 'Decide',
    assignee: 'system',
    sla: '',
    description: '',
    config: { condition: 'register.fields.amount > 5000', trueNext: 'board', falseNext: 'tell' },
    next: ['board', 'tell'],
  },
  {
    ...newStep('board', 'approval'),
    type: 'approval',
    title: 'The board approves',
    assignee: 'reviewer',
    sla: '1 day',
    description: '',
    config: { minimumApprovers: 2, onReject: 'register' },
    next: ['tell'],
  },
  {
    ...newStep('tell', 'notification'),
    type: 'notification',
    title: 'Tell finance',
    assignee: 'auto',
    sla: '',
    description: '',
    config: { recipients: ['finance@x.example'], channels: ['email'], template: 'Claim {{run.name}} is done' },
    next: [],
  },
];

/** A sample live version with a condition, for tests of exported documents. */
export function aDocument(change: Partial<WorkflowDocument> = {}): WorkflowDocument {
  return {
    id: '0199bbbb-0000-7000-8000-000000000003',
    status: 'live',
    version: 3,
    label: 'v3',
    revision: 2,
    contentHash: 'ab'.repeat(32),
    createdAt: '2026-09-30T10:00:00.000Z',
    updatedAt: '2026-10-02T10:00:00.000Z',
    createdBy: PRIYA,
    stepsCount: 4,
    emergency: null,
    summary: null,
    approvalsCount: 1,
    commentsCount: 0,
    key: 'expense-approval',
    archived: false,
    metadata: { title: 'Expense approval > 5,000 EUR', description: 'For *every* claim.' },
    steps: STEPS,
    owner: PRIYA,
    contributors: [PRIYA],
    liveSince: '2026-10-02T10:00:00.000Z',
    mergedAt: '2026-10-02T10:00:00.000Z',
    mergedBy: GRETA,
    approvals: [
      {
        reviewer: GRETA,
        at: '2026-10-01T12:00:00.000Z',
        comment: '',
        selfApproved: false,
        marks: [],
        counted: true,
      },
    ],
    inForce: [],
    asOf: null,
    slaTotalMs: 28 * 3_600_000,
    ...change,
  };
}
