import { contentTitled, publish, stepsNamed } from './organization.ts';
import { addressOf } from './routes.ts';
import { act, complete, start } from './runs.ts';
import type { AuditedScene, Changes } from './audited-scene.ts';
import { begin, digestOf, FILE_FIELD, putChunk } from './files.ts';

const BPMN =
  '<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"><bpmn:process id="P" name="Drawn"><bpmn:task id="T"/></bpmn:process></bpmn:definitions>';
const RESOLVE = 'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve';

/** Changes to workflows, drafts, runs and files. */
export const CHANGES_OF_WORK: Changes = {
  'PATCH /api/workflows/{key}/escalation': [
    ['escalation.changed'],
    async (at) => ({ params: { key: await at.live() }, body: { tell: ['reviewer'], againAfterMinutes: 60 } }),
  ],
  'PATCH /api/workflows/{key}/people': [
    ['workflow.people_changed'],
    async (at) => ({
      params: { key: await at.live() },
      body: { owners: [at.editor.user.id], reviewers: [at.reviewer.user.id] },
    }),
  ],
  'PATCH /api/workflows/{key}': [
    ['workflow.tags_changed'],
    async (at) => ({ params: { key: await at.live() }, body: { tags: ['payments'] } }),
  ],
  'POST /api/workflows/{key}/import-yaml': [
    ['workflow.created', 'draft.imported'],
    async (at) => ({ params: { key: at.newKey() }, body: contentTitled('Imported') }),
  ],
  'POST /api/workflows/{key}/import-bpmn': [
    ['workflow.created', 'draft.imported'],
    async (at) => ({ params: { key: at.newKey() }, body: BPMN, headers: { 'content-type': 'application/xml' } }),
  ],
  'POST /api/workflows/{key}/drafts': [
    ['workflow.created', 'draft.created'],
    async (at) => ({ params: { key: at.newKey() }, body: contentTitled('New') }),
  ],
  'PATCH /api/workflows/{key}/drafts/{id}': [
    ['draft.saved'],
    async (at) => ({ params: await at.draft(), body: contentTitled('Changed') }),
  ],
  'DELETE /api/workflows/{key}/drafts/{id}': [
    ['draft.discarded', 'workflow.deleted'],
    async (at) => ({ params: await at.draft(), by: at.editor }),
  ],
  'POST /api/workflows/{key}/drafts/{id}/submit': [['draft.submitted'], async (at) => ({ params: await at.draft() })],
  'POST /api/workflows/{key}/drafts/{id}/withdraw': [
    ['draft.withdrawn'],
    async (at) => ({ params: await at.draft({ submitted: true }) }),
  ],
  'POST /api/workflows/{key}/drafts/{id}/approve': [
    ['draft.submitted', 'draft.approved'],
    async (at) => ({ params: await at.draft() }),
  ],
  'POST /api/workflows/{key}/drafts/{id}/withdraw-approval': [
    ['draft.approval_withdrawn'],
    async (at) => ({ params: await at.draft({ approved: true }), by: at.reviewer }),
  ],
  'POST /api/workflows/{key}/drafts/{id}/request-changes': [
    ['draft.changes_requested'],
    async (at) => ({ params: await at.draft(), body: { comment: 'No' } }),
  ],
  'POST /api/workflows/{key}/drafts/{id}/merge': [
    ['draft.merged'],
    async (at) => ({ params: await at.draft({ approved: true }) }),
  ],
  'POST /api/workflows/{key}/drafts/{id}/objections/{reviewerId}/set-aside': [
    ['draft.objection_set_aside'],
    async (at) => ({ params: await at.objected(), body: { reason: 'Has left' } }),
  ],
  'POST /api/workflows/{key}/drafts/{id}/rebase': [['draft.rebased'], async (at) => ({ params: await at.behind() })],
  'POST /api/workflows/{key}/drafts/{id}/comments': [
    ['draft.commented'],
    async (at) => ({ params: await at.draft(), body: { body: 'Hm' } }),
  ],
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve': [
    ['draft.comment_resolved'],
    async (at) => ({ params: await at.commented() }),
  ],
  'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen': [
    ['draft.comment_reopened'],
    async (at) => {
      const params = await at.commented();
      await at.editor.post(addressOf(RESOLVE, { params }).path);
      return { params };
    },
  ],
  'POST /api/workflows/{key}/versions/{version}/rollback': [
    ['version.rolled_back'],
    async (at) => {
      const key = await at.live();
      await publish(at.editor, at.reviewer, key);
      await publish(at.editor, at.reviewer, key, stepsNamed('Another'));
      return { params: { key, version: '2' } };
    },
  ],
  'POST /api/workflows/{key}/versions/{version}/restore': [
    ['draft.created'],
    async (at) => {
      const key = await at.live();
      await publish(at.editor, at.reviewer, key);
      return { params: { key, version: '1' } };
    },
  ],
  'DELETE /api/workflows/{key}': [['workflow.archived'], async (at) => ({ params: { key: await at.live() } })],
  'POST /api/runs': [
    ['run.started', 'step.activated'],
    async (at) => ({ body: { key: await at.live(), name: 'A run' } }),
  ],
  'POST /api/runs/{id}/complete': [
    ['step.completed', 'step.activated'],
    async (at) => ({ params: await at.run(), body: { stepId: 'step-1', output: 'Done' } }),
  ],
  'POST /api/runs/{runId}/steps/{stepId}/complete': [
    ['step.completed', 'step.activated'],
    async (at) => ({ params: await at.run(), body: { output: 'Done' } }),
  ],
  'POST /api/runs/{runId}/steps/{stepId}/skip': [
    ['step.skipped', 'step.activated'],
    async (at) => ({ params: await at.run(), body: { reason: 'Not needed' } }),
  ],
  'POST /api/runs/{id}/steps/{stepId}/approve': [
    ['step.approved', 'step.completed', 'run.completed'],
    async (at) => ({ params: await at.atVote() }),
  ],
  'POST /api/runs/{id}/steps/{stepId}/reject': [
    ['step.rejected', 'step.failed', 'run.failed'],
    async (at) => ({ params: await at.atVote(), body: { comments: 'No' } }),
  ],
  'POST /api/runs/{id}/steps/{stepId}/claim': [['step.claimed'], async (at) => ({ params: await at.run() })],
  'POST /api/runs/{id}/steps/{stepId}/release': [
    ['step.released'],
    async (at) => ({ params: await at.run((id) => act(at.editor, id, 'step-1', 'claim')) }),
  ],
  'POST /api/runs/{id}/steps/{stepId}/hand-over': [
    ['step.handed_over'],
    async (at) => ({ params: await at.run(), body: { to: at.reviewer.user.id, reason: 'Away' } }),
  ],
  'POST /api/runs/{id}/steps/{stepId}/retry': [
    ['step.retried', 'step.activated'],
    async (at) => {
      // The editor does the work, because the owner, who retries it, can't retry rejected work of their own.
      const params = await at.run(async (id) => {
        await complete(at.editor, id, 'step-1');
        await act(at.owner, id, 'step-2', 'reject', { comments: 'No' });
      });
      return { params: { ...params, stepId: 'step-2' } };
    },
  ],
  'POST /api/files': [
    [],
    async (at) => ({ body: { name: 'a.txt', size: 1, sha256: digestOf(BYTE), ...(await runWithFiles(at)) } }),
  ],
  'POST /api/files/{id}/chunks/{n}': [
    [],
    async (at) => ({
      params: { id: (await begin(at.owner, await runWithFiles(at), BYTE)).body.id, n: '0' },
      body: 'x',
      headers: { 'content-type': 'application/octet-stream' },
    }),
  ],
  'POST /api/files/{id}/complete': [
    [],
    async (at) => {
      const { id } = (await begin(at.owner, await runWithFiles(at), BYTE)).body;
      await putChunk(at.server, at.owner, id, 0, BYTE);
      return { params: { id } };
    },
  ],
  'DELETE /api/files/{id}': [
    [],
    async (at) => ({ params: { id: (await begin(at.owner, await runWithFiles(at), BYTE)).body.id } }),
  ],
  'POST /api/runs/{id}/notes': [['note.added'], async (at) => ({ params: await at.run(), body: { text: 'Hm' } })],
  'POST /api/runs/{id}/pause': [['run.paused'], async (at) => ({ params: await at.run() })],
  'POST /api/runs/{id}/resume': [
    ['run.resumed'],
    async (at) => ({ params: await at.run((id) => at.owner.post(`/api/runs/${id}/pause`)) }),
  ],
  'POST /api/runs/bulk': [
    ['run.priority_changed'],
    async (at) => ({
      body: {
        ids: [(await at.run()).id],
        action: 'set_priority',
        priority: 'urgent',
        reason: 'The customer is waiting',
      },
    }),
  ],
  'POST /api/runs/{id}/cancel': [['run.cancelled'], async (at) => ({ params: await at.run(), body: { reason: 'No' } })],
};

const BYTE = Buffer.from('x');

/** A run whose first step takes files. */
async function runWithFiles(at: AuditedScene): Promise<{ runId: string; stepId: string }> {
  const key = at.newKey();
  await publish(at.editor, at.reviewer, key, [{ id: 'step-1', title: 'Attach', config: { fields: [FILE_FIELD] } }]);
  const { id: runId } = await start(at.owner, key);
  return { runId, stepId: 'step-1' };
}
