import type { ContractKey, Diff, Run } from '@stet/contract';
import { expect } from 'vitest';
import { joinOrganization, publish, stepsNamed } from './organization.ts';
import { notify } from './notifications.ts';
import type { Inputs } from './routes.ts';
import { start } from './runs.ts';
import type { Client, Person, TestServer } from './server.ts';
import { digestOf, FILE_FIELD, upload } from './files.ts';
import { pngOf } from './pictures.ts';

/** Calls a route and compares its response with the contract. */
export type Ask = <T>(who: Client, key: ContractKey, inputs?: Inputs) => Promise<T>;
/** The helpers and people needed to call all routes in turn. */
export type Walk = { ask: Ask; server: TestServer; owner: Person; reviewer: Person; orgId: { id: string } };

const key = 'contract';

/** Calls the routes of workflows, drafts, versions, workflow files and script trials. Publishes workflow `contract`. */
export async function callWorkflowRoutes({ ask, server, owner, reviewer }: Walk): Promise<void> {
  const content = {
    metadata: { title: 'Contract' },
    steps: [
      ...stepsNamed('First'),
      { id: 'vote', title: 'Vote', type: 'approval', assignee: 'reviewer' },
      { id: 'last', title: 'Last' },
    ],
  };
  const { draftId: id } = await ask<{ draftId: string }>(owner, 'POST /api/workflows/{key}/drafts', {
    params: { key },
    body: content,
  });
  const at = { key, id };
  await ask(owner, 'GET /api/workflows/{key}', { params: { key } });
  await ask(owner, 'PATCH /api/workflows/{key}/drafts/{id}', {
    params: at,
    body: { ...content, metadata: { title: 'Contract!', description: 'More' } },
  });
  await ask(owner, 'GET /api/workflows/{key}/drafts/{id}/diff', { params: at });
  await ask(owner, 'POST /api/workflows/{key}/drafts/{id}/submit', { params: at });
  await ask(reviewer, 'GET /api/tasks/reviews');
  await ask(reviewer, 'GET /api/tasks/reviews/count');
  await ask(owner, 'POST /api/workflows/{key}/drafts/{id}/withdraw', { params: at });
  const { id: commentId } = await ask<{ id: string }>(reviewer, 'POST /api/workflows/{key}/drafts/{id}/comments', {
    params: at,
    body: { body: 'Hm', stepId: 'vote' },
  });
  const onComment = { params: { ...at, commentId } };
  await ask(owner, 'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve', onComment);
  await ask(owner, 'GET /api/workflows/{key}/drafts/{id}', { params: at });
  await ask(owner, 'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen', onComment);
  await ask(reviewer, 'POST /api/workflows/{key}/drafts/{id}/request-changes', {
    params: at,
    body: { comment: 'No' },
  });
  await ask(owner, 'GET /api/workflows/{key}/drafts/{id}', { params: at });
  await ask(reviewer, 'POST /api/workflows/{key}/drafts/{id}/approve', { params: at });
  await ask(reviewer, 'POST /api/workflows/{key}/drafts/{id}/withdraw-approval', { params: at });
  await ask(reviewer, 'POST /api/workflows/{key}/drafts/{id}/approve', { params: at });
  await ask(reviewer, 'GET /api/workflows/{key}/drafts/{id}', { params: at });
  const { against } = await ask<Diff>(reviewer, 'GET /api/workflows/{key}/drafts/{id}/diff', {
    params: at,
    query: { against: 'approved' },
  });
  await ask(reviewer, 'GET /api/workflows/{key}/drafts/{id}/reviewed-content', {
    params: at,
    query: { reviewId: against.reviewId ?? '' },
  });
  await ask(reviewer, 'POST /api/workflows/{key}/drafts/{id}/merge', { params: at });
  await publish(owner, reviewer, key, content.steps);
  await ask(owner, 'GET /api/workflows/{key}/versions', { params: { key } });
  await ask(owner, 'GET /api/workflows/{key}/version-numbers', { params: { key } });
  await ask(owner, 'GET /api/workflows/{key}/step-ids', { params: { key } });
  await ask(owner, 'GET /api/workflows/{key}/versions/{version}', { params: { key, version: '1' } });
  await ask(owner, 'GET /api/workflows/{key}/compare', { params: { key }, query: { from: '1', to: '2' } });
  await ask(reviewer, 'POST /api/workflows/{key}/versions/{version}/rollback', { params: { key, version: '1' } });
  await ask(owner, 'POST /api/workflows/{key}/versions/{version}/restore', { params: { key, version: '2' } });
  const open = await owner.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
    ...content,
    steps: stepsNamed('Other'),
  });
  await ask(owner, 'GET /api/workflows/{key}/drafts/{id}/diff', { params: { key, id: open.draftId } });
  await ask(owner, 'GET /api/workflows/{key}/drafts/{id}/diff', {
    params: { key, id: open.draftId },
    query: { against: 'live' },
  });
  await ask(owner, 'GET /api/workflows/{key}/drafts/{id}/impact', { params: { key, id: open.draftId } });
  await ask(owner, 'GET /api/workflows/{key}/drafts/{id}/findings', { params: { key, id: open.draftId } });
  await ask(owner, 'GET /api/workflows/{key}', { params: { key } });
  await ask(owner, 'GET /api/workflows', { query: { limit: '10', status: 'draft,live', q: 'c' } });
  await ask(owner, 'GET /api/workflow-counts');
  await ask(owner, 'GET /api/workflow-search', { query: { q: 'vote', status: 'live' } });
  await ask(owner, 'GET /api/workflows/{key}/document', { params: { key } });
  await ask(owner, 'GET /api/workflows/{key}/document', { params: { key }, query: { version: open.draftId } });
  await ask(owner, 'GET /api/workflows/{key}/document', {
    params: { key },
    query: { asOf: new Date().toISOString() },
  });
  await ask(owner, 'GET /api/workflows/{key}/versions/{version}/document', { params: { key, version: '1' } });
  await ask(owner, 'GET /api/workflows/{key}/versions/{version}/certificate', { params: { key, version: '1' } });
  await reviewer.post(`/api/workflows/${key}/versions/2/rollback`);
  const behind = { key, id: open.draftId };
  await ask(owner, 'GET /api/workflows/{key}/drafts/{id}/rebase', { params: behind });
  await ask(owner, 'POST /api/workflows/{key}/drafts/{id}/rebase', {
    params: behind,
    body: { resolutions: [{ on: 'metadata', field: 'title', take: 'draft' }] },
  });
  const objector = await server.signUp();
  await joinOrganization(server, objector, owner.user.currentOrgId ?? '', 'reviewer');
  await objector.post(`/api/workflows/${key}/drafts/${open.draftId}/request-changes`, { comment: 'No' });
  await joinOrganization(server, objector, owner.user.currentOrgId ?? '', 'viewer');
  await ask(reviewer, 'GET /api/workflows/{key}/drafts/{id}', { params: behind });
  const second = await server.signUp();
  await joinOrganization(server, second, owner.user.currentOrgId ?? '', 'admin');
  await ask(second, 'POST /api/workflows/{key}/drafts/{id}/objections/{reviewerId}/set-aside', {
    params: { ...behind, reviewerId: objector.user.id },
    body: { reason: 'Has left' },
  });
  await ask(owner, 'DELETE /api/workflows/{key}/drafts/{id}', { params: { key, id: open.draftId } });
  await ask(owner, 'GET /api/workflows/{key}/export-yaml', { params: { key } });
  await ask(server.anyone, 'GET /api/schemas/workflow.json');
  await ask(owner, 'POST /api/workflows/{key}/import-yaml', {
    params: { key: 'imported' },
    query: { format: 'json' },
    body: content,
  });
  await ask(owner, 'POST /api/workflow-files/read', { query: { format: 'json' }, body: content });
  const bpmn = {
    body: await ask<string>(owner, 'GET /api/workflows/{key}/export-bpmn', { params: { key } }),
    headers: { 'content-type': 'application/xml' },
  };
  await ask(owner, 'POST /api/workflow-files/read', { query: { format: 'bpmn' }, ...bpmn });
  await ask(owner, 'POST /api/workflows/{key}/import-bpmn', { params: { key: 'imported-bpmn' }, ...bpmn });
  await ask(owner, 'POST /api/workflows/script-trial', { body: { script: 'return 1 + 1' } });
  await ask(owner, 'POST /api/workflows/script-trial', { body: { script: 'throw new Error("no")' } });
}

/**
 * Calls the routes for a run of that workflow from start to end, and those for insights, files, tasks, settings, Slack,
 * notifications and the audit trail. Finally archives the workflow.
 */
export async function callRunRoutes({ ask, server, owner, reviewer, orgId }: Walk): Promise<void> {
  const run = await ask<Run>(owner, 'POST /api/runs', {
    body: { key, name: 'A run', description: 'Why', priority: 'critical' },
  });
  const onRun = { params: { id: run.id } };
  const onStep = (stepId: string) => ({ params: { id: run.id, runId: run.id, stepId } });
  await ask(owner, 'POST /api/runs/{id}/pause', { ...onRun, body: { reason: 'Audit week' } });
  await ask(owner, 'POST /api/runs/{id}/resume', onRun);
  await ask(owner, 'POST /api/runs/bulk', { body: { ids: [run.id], action: 'set_priority', priority: 'high' } });
  await ask(owner, 'POST /api/runs/{id}/steps/{stepId}/claim', onStep('step-1'));
  await ask(owner, 'POST /api/runs/{id}/steps/{stepId}/release', onStep('step-1'));
  await ask(owner, 'POST /api/runs/{id}/steps/{stepId}/hand-over', {
    ...onStep('step-1'),
    body: { to: reviewer.user.email, reason: 'I am away' },
  });
  await ask(owner, 'POST /api/runs/{id}/complete', {
    ...onRun,
    body: { stepId: 'step-1', output: { text: 'Done', fields: {} } },
  });
  await ask(reviewer, 'POST /api/runs/{id}/steps/{stepId}/reject', { ...onStep('vote'), body: { comments: 'No' } });
  await ask(reviewer, 'POST /api/runs/{id}/notes', { ...onRun, body: { text: 'Why, @owner?', stepId: 'vote' } });
  await ask(owner, 'GET /api/runs/{id}/notes', onRun);
  await ask(owner, 'GET /api/runs/{id}', onRun);
  await ask(reviewer, 'POST /api/runs/{id}/steps/{stepId}/retry', onStep('vote'));
  await ask(reviewer, 'POST /api/runs/{id}/steps/{stepId}/approve', onStep('vote'));
  await ask(owner, 'POST /api/runs/{runId}/steps/{stepId}/complete', { ...onStep('last'), body: { output: 'Done' } });
  const other = await ask<Run>(owner, 'POST /api/runs', { body: { key, name: 'Another run' } });
  await ask(owner, 'POST /api/runs/{runId}/steps/{stepId}/skip', {
    params: { runId: other.id, stepId: 'step-1' },
    body: { reason: 'Why not' },
  });
  await ask(owner, 'POST /api/runs/{id}/cancel', { params: { id: other.id }, body: { reason: 'Enough' } });
  await ask(owner, 'GET /api/runs/{id}', { params: { id: other.id } });
  await callFileRoutes({ ask, server, owner, reviewer });
  await ask(owner, 'GET /api/runs');
  await ask(owner, 'GET /api/runs/summary');
  await ask(owner, 'GET /api/runs/export.csv', { query: { sla: 'on_track' } });
  const ofFlow = { params: { key } };
  await ask(owner, 'GET /api/workflows/{key}/insights', { ...ofFlow, query: { people: 'true' } });
  await ask(owner, 'GET /api/workflows/{key}/insights.csv', ofFlow);
  await ask(owner, 'GET /api/workflows/{key}/insights/reviews', ofFlow);
  await ask(owner, 'GET /api/workflows/{key}/insights/reviews.csv', ofFlow);
  await ask(owner, 'GET /api/workflows/{key}/conformance', ofFlow);
  await ask(owner, 'GET /api/workflows/{key}/conformance.csv', ofFlow);
  await ask(owner, 'GET /api/insights/overview');
  await ask(owner, 'GET /api/insights/overview.csv');
  await ask(reviewer, 'GET /api/tasks');
  await ask(reviewer, 'GET /api/tasks/count');
  await ask(reviewer, 'GET /api/tasks/done');
  const workingHours = {
    timeZone: 'Europe/Berlin',
    week: [[{ from: 540, to: 1020 }], [], [], [], [], [], []],
    holidays: ['2026-12-25'],
  };
  await ask(owner, 'PATCH /api/organizations/{id}/working-hours', { params: orgId, body: { workingHours } });
  await ask(owner, 'GET /api/organizations/{id}/working-hours', { params: orgId });
  await ask(owner, 'PATCH /api/organizations/{id}/routes', { params: orgId, body: { routes: [] } });
  await ask(owner, 'GET /api/organizations/{id}/routes', { params: orgId });
  await ask(owner, 'PATCH /api/workflows/{key}/escalation', {
    params: { key },
    body: { tell: ['reviewer', 'Someone@Example.com'], againAfterMinutes: 60 },
  });
  await ask(owner, 'GET /api/workflows/{key}/escalation', { params: { key } });
  await ask(owner, 'GET /api/workflows/{key}/people', { params: { key } });
  await ask(owner, 'PATCH /api/workflows/{key}/people', { params: { key }, body: { owners: [owner.user.id] } });
  await ask(owner, 'PATCH /api/workflows/{key}', { params: { key }, body: { tags: ['Payments'] } });
  await ask(owner, 'GET /api/workflows', { query: { tag: 'payments' } });
  await ask(owner, 'GET /api/events', { query: { run: run.id } });
  await ask(owner, 'GET /api/integrations/slack/status');
  await ask(owner, 'GET /api/integrations/slack/channels');
  await ask(owner, 'POST /api/integrations/slack/notify', {
    body: { assignee: 'someone@example.com', message: 'First', workflowName: 'Contract' },
  });
  const notificationId = await notify(server, owner);
  await ask(owner, 'GET /api/notifications');
  await ask(owner, 'GET /api/notifications/count');
  await ask(owner, 'GET /api/notifications/preferences');
  await ask(owner, 'PATCH /api/notifications/preferences', {
    body: { news: 'mentions', channel: 'email', pace: 'daily' },
  });
  await ask(owner, 'POST /api/notifications/{id}/read', { params: { id: notificationId } });
  await ask(owner, 'POST /api/notifications/read');
  await ask(owner, 'DELETE /api/workflows/{key}', { params: { key } });
  await ask(owner, 'GET /api/workflows');
  await ask(owner, 'GET /api/audit/export.pdf', { query: { runId: run.id } });
  await ask(owner, 'GET /api/audit/export.ndjson', { query: { runId: run.id } });
  await ask(owner, 'GET /api/audit/events', { query: { limit: '200' } });
  await ask(owner, 'POST /api/audit/verify');
  await ask(owner, 'GET /api/audit/status');
}

/** Calls the routes of files, with uploads for a step. */
async function callFileRoutes({ ask, server, owner, reviewer }: Omit<Walk, 'orgId'>): Promise<void> {
  await publish(owner, reviewer, 'files', [{ id: 'attach', title: 'Attach', config: { fields: [FILE_FIELD] } }]);
  const { id: runId } = await start(owner, 'files');
  const bytes = Buffer.from('x');
  const { id } = await ask<{ id: string }>(owner, 'POST /api/files', {
    body: { name: 'x.txt', size: 1, sha256: digestOf(bytes), runId, stepId: 'attach' },
  });
  await ask(owner, 'POST /api/files/{id}/chunks/{n}', {
    params: { id, n: '0' },
    body: 'x',
    headers: { 'content-type': 'application/octet-stream' },
  });
  await ask(owner, 'POST /api/files/{id}/complete', { params: { id } });
  await ask(owner, 'GET /api/files/{id}', { params: { id } });
  await ask(owner, 'DELETE /api/files/{id}', { params: { id } });
  await ask(owner, 'GET /api/file-usage');
  const image = await upload(
    server,
    owner,
    { runId, stepId: 'attach' },
    pngOf(1, 1, () => [255, 255, 255, 255]),
  );
  const made = () => server.sql('select file_id from file_previews where file_id = $1', [image]);
  await expect.poll(made).toHaveLength(1);
  await ask(owner, 'GET /api/files/{id}/preview', { params: { id: image } });
}
