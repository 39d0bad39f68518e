// This is one long table with an entry for each route, so that all probes are in one place.
import type { ContractKey } from '@stet/contract';
import { type Inputs, routes } from '../routes.ts';
import { KEY, TAG, NAME, type Theirs, UNMERGED } from './zephyrine.ts';

/** A request for another organization's data, and the response that the stranger must get. */
export type Probe = Inputs & {
  answer: 404 | 403 | 400 | 409 | 'empty' | 'only mine';
  /** Texts of this or an earlier request that the response repeats. */
  echoes?: string[];
};

/** Calls without input that could name an organization or its data. They are about the caller, or use a secret link. */
const ABOUT_ONESELF: readonly ContractKey[] = [
  'GET /api/auth/me',
  'POST /api/auth/logout',
  'POST /api/auth/oidc/connect',
  'POST /api/auth/prove-address/code',
  'POST /api/auth/prove-address',
  'PATCH /api/users/me',
  'POST /api/users/me/password',
  'GET /api/users/me/sessions',
  'POST /api/organizations',
  'POST /api/invitations/{token}/join',
];

/**
 * All routes that can return or change an organization's data, except those for administrators of the installation, who
 * may see every organization (`administration.test.ts`).
 */
export const reaching = routes.filter(
  ([key, { access }]) => access !== 'public' && access !== 'installation' && !ABOUT_ONESELF.includes(key),
);

const READER = { locale: 'de-CH', timeZone: 'Europe/Zurich' };
const STEP_PARAMS = ['id', 'runId'] as const;
const content = { metadata: { title: 'Mine' }, steps: [{ id: 'step-1', title: 'Mine' }] };
const versions = ({ versionId }: Theirs): string[] => ['1', versionId];

/** For each route, every input that accepts an id, key or step, filled in with the other organization's values. */
export const PROBES: { [K in ContractKey]?: (theirs: Theirs) => Probe[] } = {
  'POST /api/users/switch-organization': ({ orgId }) => [{ body: { organizationId: orgId }, answer: 403 }],
  'DELETE /api/users/me/sessions/{id}': ({ ownerSessionId }) => [{ params: { id: ownerSessionId }, answer: 404 }],
  'GET /api/organizations/{id}/users': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'GET /api/organizations/{id}/common-assignees': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'GET /api/organizations/{id}': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'POST /api/organizations/{id}/policy-change/confirm': ({ orgId }) => [
    { params: { id: orgId }, body: { requiredApprovals: 0 }, answer: 404 },
  ],
  'DELETE /api/organizations/{id}/policy-change': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'GET /api/groups': () => [{ answer: 'empty' }],
  'POST /api/groups': ({ ownerId }) => [{ body: { name: 'Spies', slug: 'spies', members: [ownerId] }, answer: 400 }],
  'PATCH /api/groups/{id}': ({ groupId, reviewerId }) => [
    { params: { id: groupId }, body: { name: 'Taken', slug: 'zephyrine-finance', members: [reviewerId] }, answer: 404 },
    { params: { id: groupId }, body: { addMembers: [reviewerId], removeMembers: [reviewerId] }, answer: 404 },
  ],
  'DELETE /api/groups/{id}': ({ groupId }) => [{ params: { id: groupId }, answer: 404 }],
  'GET /api/delegations': () => [{ answer: 'empty' }],
  'POST /api/delegations': ({ reviewerId }) => [
    {
      body: {
        toUserId: reviewerId,
        from: new Date().toISOString(),
        until: new Date(Date.now() + 86_400_000).toISOString(),
        kinds: ['tasks'],
        workflowKeys: [KEY],
        reason: 'Away',
      },
      answer: 400,
    },
  ],
  'DELETE /api/delegations/{id}': ({ delegationId }) => [{ params: { id: delegationId }, answer: 404 }],
  'GET /api/confirmations': () => [{ answer: 'empty' }],
  'POST /api/confirmations/{id}/confirm': ({ confirmationId }) => [{ params: { id: confirmationId }, answer: 404 }],
  'POST /api/confirmations/{id}/refuse': ({ confirmationId }) => [
    { params: { id: confirmationId }, body: { reason: 'No' }, answer: 404 },
  ],
  'POST /api/workflows/{key}/drafts/{id}/objections/{reviewerId}/set-aside': ({ openDraftId, myDraftId, reviewerId }) =>
    [KEY, 'mine'].flatMap((key) =>
      [openDraftId, myDraftId].map((id): Probe => ({
        params: { key, id, reviewerId },
        body: { reason: 'Gone' },
        answer: 404,
      })),
    ),
  'PATCH /api/organizations/{id}': ({ orgId }) => [
    {
      params: { id: orgId },
      body: {
        name: 'Taken',
        requiredApprovals: 0,
        strict: false,
        editorsMayHelp: false,
        simulatedSteps: 'allowed',
        resolvedComments: false,
        passwordMinimum: 8,
      },
      answer: 404,
    },
  ],
  'PATCH /api/organizations/{id}/users/{userId}': inOrganization('userId', 'ownerId', { role: 'viewer' }),
  'GET /api/organizations/{id}/users/{userId}/steps': ({ orgId, reviewerId }) => [
    { params: { id: orgId, userId: reviewerId }, answer: 404 },
  ],
  'DELETE /api/organizations/{id}/users/{userId}': (theirs) =>
    inOrganization(
      'userId',
      'ownerId',
    )(theirs).map((probe) => ({
      ...probe,
      body: { takeOverTokens: true, handOver: { to: theirs.reviewerId } },
    })),
  'GET /api/organizations/{id}/invitations': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'POST /api/organizations/{id}/invitations': ({ orgId }) => [
    { params: { id: orgId }, body: { email: 'spy@example.com', role: 'admin' }, answer: 404 },
  ],
  'DELETE /api/organizations/{id}/invitations/{invitationId}': inOrganization('invitationId', 'invitationId'),
  'POST /api/organizations/{id}/invitations/{invitationId}/resend': inOrganization('invitationId', 'invitationId'),
  // Slack isn't connected. `connect-slack.test.ts` tests that a value encrypted for one organization can't be used in
  // another.
  'GET /api/integrations/slack/status': () => [{ answer: 'only mine' }],
  'POST /api/integrations/slack/tickets': () => [{ answer: 404 }],
  'POST /api/integrations/slack/notify': ({ email }) => [
    { body: { assignee: email, message: `${NAME} interview`, workflowName: `${NAME} hiring` }, answer: 'only mine' },
  ],
  'GET /api/integrations/slack/channels': () => [{ answer: 'empty' }],
  'PATCH /api/integrations/slack': () => [{ body: { channelId: 'C1' }, answer: 404 }],
  'DELETE /api/integrations/slack': () => [{ answer: 404 }],
  'GET /api/workflows/{key}/export-yaml': ({ draftId, openDraftId }) => [
    { params: { key: KEY }, query: { format: 'json' }, answer: 404 },
    { params: { key: KEY }, query: { version: '1' }, answer: 404 },
    ...[KEY, 'mine'].flatMap((key) =>
      [draftId, openDraftId].map((id): Probe => ({ params: { key }, query: { draftId: id }, answer: 404 })),
    ),
  ],
  'POST /api/workflows/{key}/import-yaml': () => [
    {
      params: { key: 'carried-over' },
      query: { format: 'json' },
      body: { key: KEY, ...content },
      answer: 'only mine',
    },
  ],
  'GET /api/workflows/{key}/export-bpmn': ({ draftId, openDraftId }) => [
    { params: { key: KEY }, answer: 404 },
    { params: { key: KEY }, query: { version: '1' }, answer: 404 },
    ...[KEY, 'mine'].flatMap((key) =>
      [draftId, openDraftId].map((id): Probe => ({ params: { key }, query: { draftId: id }, answer: 404 })),
    ),
  ],
  'POST /api/workflows/{key}/import-bpmn': () => [
    {
      params: { key: 'carried-over-bpmn' },
      body: '<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"><bpmn:process id="P" name="Mine"><bpmn:task id="T"/></bpmn:process></bpmn:definitions>',
      headers: { 'content-type': 'application/xml' },
      answer: 'only mine',
    },
  ],
  // A trial has access only to its own input.
  'POST /api/workflows/script-trial': () => [
    {
      body: { script: 'return { outputs, run, step }', timeout: 1, outputs: {}, run: {}, step: {} },
      answer: 'only mine',
    },
  ],
  'POST /api/workflow-files/read': () => [
    { query: { format: 'json' }, body: { key: 'zephyrine-read', ...content }, answer: 'only mine' },
  ],
  'GET /api/workflows': ({ runId }) => [
    { answer: 'only mine' },
    { query: { q: KEY, in: 'text', status: 'draft,live', limit: '200' }, answer: 'empty' },
    { query: { tag: TAG }, answer: 'empty' },
    { query: { cursor: `2100-01-01T00:00:00.000000Z_${runId}` }, answer: 'only mine' },
    { query: { sort: 'title' }, answer: 'only mine' },
    { query: { sort: 'title', cursor: `title_${runId}` }, answer: 'empty' },
  ],
  'GET /api/workflow-counts': () => [{ answer: 'only mine' }],
  'GET /api/workflows/{key}': () => [{ params: { key: KEY }, answer: 404 }],
  'GET /api/workflows/{key}/versions': () => [{ params: { key: KEY }, answer: 404 }],
  'GET /api/workflows/{key}/version-numbers': () => [{ params: { key: KEY }, answer: 404 }],
  'GET /api/workflows/{key}/step-ids': () => [{ params: { key: KEY }, answer: 404 }],
  'GET /api/workflows/{key}/versions/{version}': (theirs) => [
    ...versions(theirs).map((version): Probe => ({ params: { key: KEY, version }, answer: 404 })),
    { params: { key: 'mine', version: theirs.versionId }, answer: 404 },
  ],
  'GET /api/workflows/{key}/compare': (theirs) => [
    ...versions(theirs).map((version): Probe => ({
      params: { key: KEY },
      query: { from: version, to: theirs.versionId, limit: '10' },
      answer: 404,
    })),
    { params: { key: 'mine' }, query: { from: theirs.openDraftId, to: theirs.versionId }, answer: 404 },
  ],
  'POST /api/workflows/{key}/versions/{version}/rollback': (theirs) => [
    ...versions(theirs).map((version): Probe => ({
      params: { key: KEY, version },
      body: { reason: theirs.runId, emergency: true },
      answer: 404,
    })),
    { params: { key: 'mine', version: theirs.versionId }, body: { reason: 'Taken' }, answer: 404 },
  ],
  'POST /api/workflows/{key}/versions/{version}/restore': (theirs) => [
    ...versions(theirs).map((version): Probe => ({ params: { key: KEY, version }, answer: 404 })),
    { params: { key: 'mine', version: theirs.versionId }, answer: 404 },
  ],
  'GET /api/workflow-search': ({ versionId }) => [
    { answer: 'only mine' },
    { query: { q: NAME }, answer: 'empty' },
    { query: { q: 'interview', status: 'live', limit: '100' }, answer: 'empty' },
    { query: { q: 'interview', status: 'in_review' }, answer: 'empty' },
    { query: { tag: TAG }, answer: 'empty' },
    { query: { cursor: `0_2100-01-01T00:00:00.000000Z_${versionId}` }, answer: 'only mine' },
    { query: { sort: 'title' }, answer: 'only mine' },
    { query: { sort: 'title', cursor: `0_2100-01-01T00:00:00.000000Z_${versionId}` }, answer: 'empty' },
  ],
  'GET /api/workflows/{key}/document': ({ draftId, openDraftId }) => [
    { params: { key: KEY }, answer: 404 },
    { params: { key: KEY }, query: { asOf: new Date().toISOString() }, answer: 404 },
    ...[KEY, 'mine'].flatMap((key) =>
      [draftId, openDraftId].map((version): Probe => ({ params: { key }, query: { version }, answer: 404 })),
    ),
  ],
  'GET /api/workflows/{key}/versions/{version}/document': ({ versionId, openDraftId }) =>
    [versionId, openDraftId].flatMap((version) =>
      [KEY, 'mine'].flatMap((key) =>
        ['md', 'pdf'].map((format): Probe => ({ params: { key, version }, query: { format, ...READER }, answer: 404 })),
      ),
    ),
  'GET /api/workflows/{key}/versions/{version}/certificate': ({ versionId }) =>
    [versionId, '1'].flatMap((version) =>
      ['json', 'pdf'].map((format): Probe => ({
        params: { key: KEY, version },
        query: { format, ...READER },
        answer: 404,
      })),
    ),
  'DELETE /api/workflows/{key}': () => [
    { params: { key: KEY }, body: { reason: 'Taken' }, answer: 404 },
    { params: { key: UNMERGED }, body: { reason: 'Taken' }, answer: 404 },
  ],
  // In the caller's organization, the key is unused, so the new draft is the caller's own.
  'POST /api/workflows/{key}/drafts': ({ stepId, versionId }) => [
    {
      params: { key: 'carried-onboarding' },
      body: { key: 'carried-onboarding', metadata: content.metadata, steps: [{ id: stepId, title: 'Mine' }] },
      answer: 'only mine',
    },
    { params: { key: 'mine' }, body: { ...content, liveVersionId: versionId }, answer: 409 },
  ],
  'GET /api/workflows/{key}/drafts/{id}': drafts(),
  'PATCH /api/workflows/{key}/drafts/{id}': drafts((key) => ({ key, ...content })),
  'DELETE /api/workflows/{key}/drafts/{id}': drafts(() => ({ reason: 'Taken' })),
  'GET /api/workflows/{key}/drafts/{id}/diff': (theirs) =>
    drafts()(theirs).flatMap((probe) =>
      ['base', 'live', 'approved', 'reviewed'].map((against) => ({ ...probe, query: { against, limit: '1000' } })),
    ),
  'GET /api/workflows/{key}/drafts/{id}/reviewed-content': (theirs) =>
    drafts()(theirs).map((probe) => ({ ...probe, query: { reviewId: theirs.reviewId } })),
  'GET /api/workflows/{key}/drafts/{id}/impact': drafts(),
  'GET /api/workflows/{key}/drafts/{id}/findings': drafts(),
  'POST /api/workflows/{key}/drafts/{id}/submit': (theirs) =>
    drafts(() => ({ summary: 'Taken', reviewers: [theirs.ownerId] }))(theirs),
  'POST /api/workflows/{key}/drafts/{id}/withdraw': drafts(),
  'POST /api/workflows/{key}/drafts/{id}/approve': draftsAndFor(() => ({ comment: 'Fine' })),
  'POST /api/workflows/{key}/drafts/{id}/withdraw-approval': draftsAndFor(() => ({})),
  'POST /api/workflows/{key}/drafts/{id}/request-changes': draftsAndFor(() => ({ comment: 'Not fine' })),
  'POST /api/workflows/{key}/drafts/{id}/merge': drafts(() => ({ emergency: { reason: 'Taken' } })),
  'POST /api/workflows/{key}/drafts/{id}/comments': drafts(() => ({ body: 'Hello', stepId: 'zephyrine-step' })),
  'GET /api/workflows/{key}/drafts/{id}/rebase': drafts(),
  'POST /api/workflows/{key}/drafts/{id}/rebase': drafts((_key, { versionId }) => ({
    liveVersionId: versionId,
    resolutions: [{ on: 'step', stepId: 'zephyrine-step', field: 'title', value: 'Taken' }],
  })),
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve': comments,
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen': comments,
  'GET /api/runs': ({ runId, stepId }) => [
    { answer: 'empty' },
    { query: { workflow: KEY, status: 'running', sla: 'on_track', env: 'testing', limit: '200' }, answer: 'empty' },
    { query: { q: NAME, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, answer: 'empty' },
    { query: { cursor: `2100-01-01T00:00:00.000Z_${runId}` }, answer: 'empty' },
    { query: { workflow: KEY, version: '1', priority: 'medium', sort: 'name' }, answer: 'empty' },
    { query: { with: 'editor', sort: 'due' }, answer: 'empty' },
    { query: { sort: 'attention' }, answer: 'empty' },
    { query: { workflow: KEY, figure: `completed:${stepId}`, sort: 'oldest' }, answer: 'empty' },
    { query: { workflow: KEY, figure: `lateNow:${stepId}` }, answer: 'empty' },
    { query: { tag: TAG }, answer: 'empty' },
  ],
  'GET /api/notifications': ({ notificationId }) => [
    { query: { limit: '100' }, answer: 'empty' },
    { query: { unread: 'true', cursor: `2100-01-01T00:00:00.000Z_${notificationId}` }, answer: 'empty' },
    { query: { grouped: 'true', workflow: KEY }, answer: 'empty' },
    { query: { grouped: 'true', unread: 'true', kind: 'other' }, answer: 'empty' },
  ],
  'GET /api/notifications/count': () => [{ answer: 'only mine' }],
  'GET /api/notifications/preferences': () => [{ answer: 'only mine' }],
  'PATCH /api/notifications/preferences': () => [
    { body: { news: 'mentions', channel: 'email', pace: 'daily' }, answer: 'only mine' },
  ],
  'POST /api/notifications/{id}/read': ({ notificationId }) => [
    { params: { id: notificationId }, answer: 404 },
    { params: { id: notificationId }, body: { group: true }, answer: 404 },
  ],
  'POST /api/notifications/read': () => [{ body: { upTo: '2100-01-01T00:00:00.000Z' }, answer: 'only mine' }],
  'GET /api/runs/export.csv': ({ runId, stepId }) => [
    { answer: 'only mine' },
    { query: { ids: runId }, answer: 'only mine' },
    { query: { workflow: KEY, version: '1', priority: 'medium', with: 'editor', sort: 'due' }, answer: 'only mine' },
    { query: { workflow: KEY, status: 'running', sla: 'on_track', env: 'testing', tag: TAG }, answer: 'only mine' },
    { query: { q: NAME, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, answer: 'only mine' },
    { query: { workflow: KEY, figure: `completed:${stepId}` }, answer: 'only mine' },
  ],
  'GET /api/tasks': ({ runId, stepId }) => [
    { query: { limit: '200', for: 'role' }, answer: 'empty' },
    { query: { workflow: KEY }, answer: 'empty' },
    { query: { cursor: `2000-01-01T00:00:00.000Z_${runId}_${stepId}` }, answer: 'empty' },
  ],
  'GET /api/tasks/count': () => [{ answer: 'only mine' }],
  'GET /api/tasks/reviews': ({ draftId }) => [
    { query: { limit: '50' }, answer: 'empty' },
    { query: { cursor: `2000-01-01T00:00:00.000000Z_${draftId}` }, answer: 'empty' },
  ],
  'GET /api/tasks/reviews/count': () => [{ answer: 'only mine' }],
  'GET /api/tasks/done': () => [
    { query: { limit: '100' }, answer: 'only mine' },
    { query: { cursor: '999999' }, answer: 'only mine' },
  ],
  'GET /api/organizations/{id}/routes': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'PATCH /api/organizations/{id}/routes': ({ orgId }) => [{ params: { id: orgId }, body: { routes: [] }, answer: 404 }],
  'GET /api/organizations/{id}/working-hours': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'PATCH /api/organizations/{id}/working-hours': ({ orgId }) => [
    { params: { id: orgId }, body: { workingHours: null }, answer: 404 },
  ],
  'PATCH /api/workflows/{key}': () => [{ params: { key: KEY }, body: { tags: ['taken'] }, answer: 404 }],
  'GET /api/workflows/{key}/people': () => [{ params: { key: KEY }, answer: 404 }],
  'PATCH /api/workflows/{key}/people': () => [
    { params: { key: KEY }, body: { owners: [], reviewers: [] }, answer: 404 },
  ],
  'GET /api/workflows/{key}/escalation': () => [{ params: { key: KEY }, answer: 404 }],
  'PATCH /api/workflows/{key}/escalation': () => [
    { params: { key: KEY }, body: { tell: ['owner'], againAfterMinutes: 60 }, answer: 404 },
  ],
  'GET /api/runs/summary': () => [{ answer: 'only mine' }],
  'GET /api/workflows/{key}/insights': () => [
    { params: { key: KEY }, answer: 404 },
    {
      params: { key: KEY },
      query: { version: '1', from: '2024-01-01', to: '2027-01-01' },
      answer: 404,
    },
    { params: { key: KEY }, query: { people: 'true' }, answer: 404 },
  ],
  'GET /api/workflows/{key}/insights.csv': () => [
    { params: { key: KEY }, query: { version: '1', from: '2024-01-01', to: '2027-01-01' }, answer: 404 },
  ],
  'GET /api/workflows/{key}/insights/reviews': () => [
    {
      params: { key: KEY },
      query: { version: '1', from: '2024-01-01', to: '2027-01-01', limit: '9', cursor: 'x' },
      answer: 404,
    },
  ],
  'GET /api/workflows/{key}/insights/reviews.csv': () => [
    { params: { key: KEY }, query: { version: '1', from: '2024-01-01', to: '2027-01-01' }, answer: 404 },
  ],
  'GET /api/workflows/{key}/conformance': ({ stepId }) => [
    {
      params: { key: KEY },
      query: {
        version: '1',
        from: '2020-01-01',
        to: '2030-01-01',
        kind: 'simulated',
        step: stepId,
        limit: '9',
        cursor: 'x',
      },
      answer: 404,
    },
  ],
  'GET /api/workflows/{key}/conformance.csv': ({ stepId }) => [
    {
      params: { key: KEY },
      query: { version: '1', from: '2024-01-01', to: '2027-01-01', kind: 'simulated', step: stepId },
      answer: 404,
    },
  ],
  'GET /api/insights/overview': () => [{ query: { from: '2024-01-01', to: '2027-01-01' }, answer: 'only mine' }],
  'GET /api/insights/overview.csv': () => [{ query: { from: '2024-01-01', to: '2027-01-01' }, answer: 'only mine' }],
  'POST /api/runs': () => [{ body: { key: KEY, name: 'Taken', description: 'Taken', priority: 'low' }, answer: 404 }],
  'GET /api/runs/{id}': onRun(),
  'GET /api/runs/{id}/notes': (theirs) =>
    onRun()(theirs).map((probe) => ({ ...probe, query: { stepId: theirs.stepId, limit: '100', cursor: '9' } })),
  'POST /api/runs/{id}/notes': (theirs) =>
    onRun((stepId) => ({ stepId, text: 'Taken', files: [theirs.fileId] }))(theirs),
  'POST /api/runs/{id}/complete': onRunAndFor((stepId) => ({ stepId, output: { text: 'Taken' }, notes: 'Taken' })),
  'POST /api/runs/{runId}/steps/{stepId}/complete': onRunAndFor(() => ({ output: { text: 'Taken' }, notes: 'Taken' })),
  'POST /api/runs/{runId}/steps/{stepId}/skip': onRun(() => ({ reason: 'Taken' })),
  'POST /api/runs/{id}/steps/{stepId}/approve': onRunAndFor(() => ({ comments: 'Taken' })),
  'POST /api/runs/{id}/steps/{stepId}/reject': onRunAndFor(() => ({ comments: 'Taken' })),
  'POST /api/runs/{id}/steps/{stepId}/claim': onRun(),
  'POST /api/runs/{id}/steps/{stepId}/release': onRun(),
  'POST /api/runs/{id}/steps/{stepId}/hand-over': onRun(() => ({ to: 'group:taken', reason: 'Taken' })),
  'POST /api/runs/{id}/steps/{stepId}/retry': onRun(),
  'POST /api/runs/{id}/pause': onRun(() => ({ reason: 'Taken' })),
  'POST /api/runs/{id}/resume': onRun(),
  'POST /api/runs/{id}/cancel': onRun(() => ({ reason: 'Taken' })),
  // The result for each run is `not_found`, which the route's tests check.
  'POST /api/runs/bulk': ({ runId }) => [
    { body: { ids: [runId], action: 'cancel', reason: 'Taken' }, answer: 'only mine', echoes: [runId] },
    { body: { ids: [runId], action: 'set_priority', priority: 'low' }, answer: 'only mine', echoes: [runId] },
  ],
  // The tests of the events check the content of this stream.
  'GET /api/events': ({ runId }) => [{ answer: 'only mine' }, { query: { run: runId }, answer: 'only mine' }],
  // The stranger has exported runs filtered by this tag, so the export's event contains it.
  'GET /api/audit/events': (theirs) => [
    { answer: 'only mine', echoes: [TAG] },
    { query: { actor: theirs.ownerId }, answer: 'empty' },
    { query: { subject: 'run', subjectId: theirs.runId, action: 'run.started' }, answer: 'empty' },
    { query: { q: `${NAME} candidate`, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, answer: 'empty' },
    { query: { runId: theirs.runId }, answer: 'empty' },
    { query: { key: KEY }, answer: 'empty' },
    { query: { cursor: '9999', limit: '200' }, answer: 'only mine', echoes: [TAG] },
  ],
  'GET /api/audit/status': () => [
    { query: { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, answer: 'only mine' },
  ],
  'POST /api/audit/verify': () => [{ answer: 'only mine' }],
  'GET /api/audit/export.ndjson': ({ runId }) => [
    { answer: 'only mine', echoes: [TAG] },
    { query: { runId }, answer: 404 },
    { query: { runId, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, answer: 404 },
  ],
  'POST /api/files': ({ runId, stepId }) => [
    { body: { name: 'Mine', size: 1, sha256: '0'.repeat(64), runId, stepId }, answer: 404 },
    { body: { name: 'Mine', size: 1, sha256: '0'.repeat(64), runId }, answer: 404 },
  ],
  'POST /api/files/{id}/chunks/{n}': ({ fileId }) => [
    {
      params: { id: fileId, n: '0' },
      body: 'x',
      headers: { 'content-type': 'application/octet-stream' },
      answer: 404,
    },
  ],
  'POST /api/files/{id}/complete': ({ fileId }) => [{ params: { id: fileId }, answer: 404 }],
  'GET /api/files/{id}': ({ fileId }) => [{ params: { id: fileId }, answer: 404 }],
  'GET /api/files/{id}/preview': ({ fileId }) => [{ params: { id: fileId }, answer: 404 }],
  'DELETE /api/files/{id}': ({ fileId }) => [{ params: { id: fileId }, query: { keepReused: 'true' }, answer: 404 }],
  'GET /api/file-usage': () => [{ answer: 'only mine' }],
  'GET /api/webhooks': () => [{ answer: 'only mine' }],
  'POST /api/webhooks': () => [
    { body: { name: 'Mine', url: 'https://127.0.0.1/', actions: ['run.started'] }, answer: 'only mine' },
  ],
  'PATCH /api/webhooks/{id}': ({ webhookId }) => [
    {
      params: { id: webhookId },
      body: { name: 'Taken', url: 'https://127.0.0.1/', actions: [], isActive: false },
      answer: 404,
    },
  ],
  'DELETE /api/webhooks/{id}': ({ webhookId }) => [{ params: { id: webhookId }, answer: 404 }],
  'POST /api/webhooks/{id}/rotate': ({ webhookId }) => [{ params: { id: webhookId }, answer: 404 }],
  'POST /api/webhooks/{id}/test': ({ webhookId }) => [{ params: { id: webhookId }, answer: 404 }],
  'GET /api/webhooks/{id}/deliveries': ({ webhookId }) => [
    { params: { id: webhookId }, query: { state: 'dead', limit: '10', cursor: '100' }, answer: 404 },
  ],
  'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver': ({ webhookId, deliveryId }) => [
    { params: { id: webhookId, deliveryId }, answer: 404 },
  ],
  'POST /api/webhooks/{id}/redeliver': ({ webhookId }) => [{ params: { id: webhookId }, answer: 404 }],
  'GET /api/tokens': () => [{ answer: 'only mine' }],
  'POST /api/tokens': () => [
    { body: { name: 'Mine', scopes: ['workflow.read'], expiresInDays: 90 }, answer: 'only mine' },
  ],
  'DELETE /api/tokens/{id}': ({ tokenId }) => [{ params: { id: tokenId }, answer: 404 }],
  'GET /api/organizations/{id}/tokens': ({ orgId }) => [{ params: { id: orgId }, answer: 404 }],
  'POST /api/organizations/{id}/tokens': ({ orgId }) => [
    {
      params: { id: orgId },
      body: { name: 'Taken', role: 'admin', scopes: ['workflow.read'], expiresInDays: 1 },
      answer: 404,
    },
  ],
  'DELETE /api/organizations/{id}/tokens/{tokenId}': inOrganization('tokenId', 'tokenId'),
  'GET /api/audit/export.pdf': ({ runId }) => [
    { query: { runId, ...READER }, answer: 404 },
    { query: { runId, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }, answer: 404 },
  ],
};

/** The other organization's drafts and versions, under its key and under one of the caller's keys. */
function drafts(body?: (key: string, theirs: Theirs) => unknown): (theirs: Theirs) => Probe[] {
  return (theirs) =>
    [KEY, 'mine'].flatMap((key) =>
      [theirs.draftId, theirs.openDraftId].map((id): Probe => ({
        params: { key, id },
        ...(body && { body: body(key, theirs) }),
        answer: 404,
      })),
    );
}

/** Like `drafts`, but also on behalf of a member of the other organization. */
function draftsAndFor(body: () => object): (theirs: Theirs) => Probe[] {
  return (theirs) => [...drafts(body)(theirs), ...drafts(() => ({ ...body(), onBehalfOf: theirs.reviewerId }))(theirs)];
}

/** The other organization's comment, on its own draft and on one of the caller's drafts. */
function comments(theirs: Theirs): Probe[] {
  const { commentId, myDraftId } = theirs;
  return [...drafts()(theirs), { params: { key: 'mine', id: myDraftId }, answer: 404 } as const].map((probe) => ({
    ...probe,
    params: { ...probe.params, commentId },
  }));
}

/** The other organization's member, invitation or token, under its own organization and under the caller's. */
function inOrganization(
  param: 'userId' | 'invitationId' | 'tokenId',
  of: 'ownerId' | 'invitationId' | 'tokenId',
  body?: object,
): (theirs: Theirs) => Probe[] {
  return (theirs) =>
    [theirs.orgId, theirs.myOrgId].map((id): Probe => ({
      params: { id, [param]: theirs[of] },
      ...(body && { body }),
      answer: 404,
    }));
}

function onRun(body?: (stepId: string) => unknown): (theirs: Theirs) => Probe[] {
  return ({ runId, stepId }) => [
    {
      params: { ...Object.fromEntries(STEP_PARAMS.map((name) => [name, runId])), stepId },
      ...(body && { body: body(stepId) }),
      answer: 404,
    },
  ];
}

/** Like `onRun`, but also on behalf of a member of the other organization. */
function onRunAndFor(body: (stepId: string) => object): (theirs: Theirs) => Probe[] {
  return (theirs) => [
    ...onRun(body)(theirs),
    ...onRun((stepId) => ({ ...body(stepId), onBehalfOf: theirs.reviewerId }))(theirs),
  ];
}
