import type { Run, RunStep, RunSummary, Notification, ReviewTask, Task, User } from '@stet/contract';

const PERSON = {
  id: '0199aaaa-0000-7000-8000-000000000001',
  name: 'Priya Nair',
  email: 'priya.nair@haldenworks.example',
};
const TEAM_ID = '0199aaaa-0000-7000-8000-00000000000a';
const PERSONAL_ID = '0199aaaa-0000-7000-8000-00000000000b';
export const NOW = Date.UTC(2026, 10, 20, 14, 36, 8);
const ago = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();

/** A team member with the main permissions of an editor. Override the fields that matter to the test. */
export function aUser(change: Partial<User> = {}): User {
  return {
    ...PERSON,
    role: 'editor',
    currentOrgId: TEAM_ID,
    orgRole: 'editor',
    orgPermissions: [
      'workflow.read',
      'draft.edit',
      'run.start',
      'run.control',
      'run.note',
      'step.act_any',
      'audit.export',
    ],
    organizations: [{ id: TEAM_ID, name: 'Halden Works', type: 'team', slug: 'halden-works', role: 'editor' }],
    customRoleId: null,
    provedBy: 'mailbox',
    withheldPermissions: [],
    ...change,
  };
}

export function aPersonalUser(): User {
  return aUser({
    currentOrgId: PERSONAL_ID,
    orgRole: 'owner',
    organizations: [{ id: PERSONAL_ID, name: 'Priya Nair', type: 'individual', slug: null, role: 'owner' }],
  });
}

/** A token with a readable payload and an invalid signature. */
export function aToken(
  payload: object = { sub: PERSON.id, email: PERSON.email, name: PERSON.name, role: 'editor' },
): string {
  const part = (value: object) =>
    btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
      .replaceAll('=', '')
      .replaceAll('+', '-')
      .replaceAll('/', '_');
  return `${part({ alg: 'HS256' })}.${part(payload)}.x`;
}

const actor = { ...PERSON, kind: 'user' as const };
const sam = {
  id: '0199aaaa-0000-7000-8000-000000000002',
  name: 'Sam Okafor',
  email: 'sam@haldenworks.example',
  kind: 'user' as const,
};

export function aRunSummary(change: Partial<RunSummary> = {}): RunSummary {
  return {
    id: '4c1e9a07-0000-7000-8000-000000000001',
    name: 'Nordlicht GmbH',
    description: null,
    priority: 'high',
    workflowKey: 'vendor-onboarding',
    workflowTitle: 'Vendor onboarding',
    workflowVersion: 7,
    status: 'running',
    slaState: 'at_risk',
    trend: [0.45, 0.68, 0.02, 0.87],
    durationMs: 3312 * 60_000 + 5000,
    sla: { targetMs: 807_000_000 },
    nextSteps: [{ id: 'sign', name: 'Sign the framework contract', owner: 'Mara Lindqvist' }],
    currentStepIds: ['assess', 'review'],
    currentSteps: [
      { id: 'assess', name: 'Assess the risk', waitsFor: ['sam@haldenworks.example'] },
      { id: 'review', name: 'Review the contract', waitsFor: ['reviewer'] },
    ],
    dueAt: new Date(NOW + 3 * 3_600_000).toISOString(),
    slaStatus: [{ stepId: 'assess', state: 'at_risk' }],
    stepsTotal: 6,
    stepsCompleted: 2,
    simulatedSteps: 0,
    marks: [],
    startedBy: actor,
    createdAt: ago(55),
    completedAt: null,
    ...change,
  };
}

const NO_ABILITIES: RunStep['abilities'] = {
  complete: false,
  approve: false,
  reject: false,
  skip: false,
  retry: false,
  claim: false,
  release: false,
  handOver: false,
};

export function aRunStep(change: Partial<RunStep> = {}): RunStep {
  return {
    id: 'sign',
    title: 'Sign the framework contract',
    type: 'manual',
    description: '',
    assignee: 'Mara Lindqvist',
    claimed: null,
    handedOver: [],
    handedBy: [],
    sla: '3 days',
    state: 'blocked',
    activatedAt: null,
    dueAt: null,
    slaState: null,
    usedShare: null,
    completedAt: null,
    completedBy: null,
    completedFor: null,
    output: null,
    reason: null,
    submittedBy: null,
    fields: [],
    requiresApproval: false,
    approvals: null,
    skip: { required: 1, votes: [] },
    rejection: null,
    simulated: false,
    report: null,
    actsFor: null,
    delegated: [],
    assignedTo: null,
    marks: [],
    because: null,
    abilities: NO_ABILITIES,
    ...change,
  };
}

const STEPS: readonly RunStep[] = [
  aRunStep({
    id: 'register',
    title: 'Register the vendor request',
    state: 'completed',
    completedAt: ago(53),
    completedBy: actor,
    output: { text: 'Registered as 2026-88' },
  }),
  aRunStep({
    id: 'check',
    title: 'Check sanctions and ownership lists',
    type: 'automated',
    assignee: 'system',
    state: 'completed',
    completedAt: ago(21),
    completedBy: null,
  }),
  aRunStep({
    id: 'assess',
    title: 'Assess risk tier',
    description: 'Score by data access and spend. A vendor with 75 points or more is tier 1.',
    state: 'active',
    assignee: 'priya.nair@haldenworks.example',
    activatedAt: ago(21),
    dueAt: ago(-3.1),
    slaState: 'at_risk',
    abilities: { ...NO_ABILITIES, complete: true, skip: true },
  }),
  aRunStep({
    id: 'review',
    title: 'Compliance review',
    type: 'approval',
    description: 'Read the documents. Call the number in the register, not the one on the invoice.',
    state: 'active',
    assignee: 'reviewer',
    activatedAt: ago(21),
    dueAt: ago(-27),
    slaState: 'on_track',
    approvals: {
      required: 2,
      by: [sam],
      votes: [{ by: sam, at: ago(6), comments: null, actsFor: null, marks: [], addedBy: null }],
    },
    abilities: { ...NO_ABILITIES, approve: true, reject: true },
  }),
  aRunStep(),
  aRunStep({ id: 'tell', title: 'Tell requester and finance', type: 'notification', assignee: 'Unassigned', sla: '' }),
];

/** A run with one manual and one approval step active. */
export function aRun(change: Partial<Run> = {}): Run {
  return {
    ...aRunSummary(),
    revision: 3,
    now: NOW,
    emergency: null,
    failure: null,
    paused: null,
    restartOf: null,
    history: [
      { stepId: 'register', action: 'activated', at: ago(55), actor, data: {} },
      {
        stepId: 'register',
        action: 'completed',
        at: ago(53),
        actor,
        data: { output: { text: 'Registered as 2026-88' } },
      },
      {
        stepId: 'review',
        action: 'approved',
        at: ago(4),
        actor: sam,
        data: { comments: 'Spoke to Ms Ahrens, last four digits match.' },
      },
    ],
    steps: [...STEPS],
    workflow: { key: 'vendor-onboarding', title: 'Vendor onboarding', description: '', steps: [] },
    abilities: { pause: true, resume: false, cancel: true, exportAudit: true },
    ...change,
  };
}

/** A draft in review that waits for the person's approval. */
export const aReviewTask = (change: Partial<ReviewTask> = {}): ReviewTask => ({
  onBehalfOf: null,
  workflowKey: 'hiring',
  draftId: '0199aaaa-0000-7000-8000-0000000000e1',
  title: 'Hiring',
  author: sam,
  submittedAt: ago(30),
  changes: 6,
  approvals: { has: 1, needed: 2 },
  groups: [],
  ...change,
});

export function aTask(change: Partial<Task> = {}): Task {
  return {
    runId: '4c1e9a07-0000-7000-8000-000000000001',
    runName: 'Nordlicht GmbH',
    priority: 'high',
    workflowKey: 'vendor-onboarding',
    workflowTitle: 'Vendor onboarding',
    stepId: 'assess',
    title: 'Assess risk tier',
    type: 'manual',
    assignee: PERSON.email,
    waitsFor: 'me',
    onlyReject: false,
    onBehalfOf: null,
    activatedAt: ago(21),
    dueAt: ago(-3),
    slaState: 'at_risk',
    now: NOW,
    ...change,
  };
}

export const aNotification = (change: Partial<Notification> = {}): Notification => ({
  id: '0199aaaa-0000-7000-8000-0000000000d1',
  kind: 'step_assigned',
  title: 'Assess risk tier',
  body: 'A step in “Nordlicht GmbH” is waiting for you.',
  runId: '4c1e9a07-0000-7000-8000-000000000001',
  stepId: 'assess',
  draft: null,
  workflowKey: 'vendor-onboarding',
  role: null,
  count: 1,
  createdAt: new Date(Date.now() - 7_200_000).toISOString(),
  readAt: null,
  closedAt: null,
  ...change,
});
