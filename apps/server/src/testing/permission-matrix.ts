// This is one long table with an entry for each tested action.
import type { Permission } from '@stet/domain/access';
import { contentTitled } from './organization.ts';
import {
  type Call,
  completing,
  draftInReview,
  liveWorkflow,
  newKey,
  rolledBack,
  running,
} from './permission-subjects.ts';

type Cell = 'Y' | 'n';
/** One cell per role: owner, admin, editor, reviewer, viewer. */
type Row = `${Cell} ${Cell} ${Cell} ${Cell} ${Cell}`;

/**
 * The roles that have each permission, repeated here to check the product's table, and a call that requires the
 * permission.
 */
export const MATRIX: readonly (readonly [Permission, what: string, given: Row, Call])[] = [
  ['workflow.read', 'count workflows', 'Y Y Y Y Y', (person) => person.call('GET', '/api/workflow-counts')],
  ['workflow.read', 'see workflows', 'Y Y Y Y Y', (person) => person.call('GET', '/api/workflows')],
  [
    'workflow.read',
    'see versions',
    'Y Y Y Y Y',
    async (person, team) => person.call('GET', `/api/workflows/${await liveWorkflow(team)}/versions/1`),
  ],
  ['workflow.read', 'search workflows', 'Y Y Y Y Y', (person) => person.call('GET', '/api/workflow-search?q=first')],
  [
    'workflow.read',
    'read a version',
    'Y Y Y Y Y',
    async (person, team) => person.call('GET', `/api/workflows/${await liveWorkflow(team)}/document`),
  ],
  [
    'workflow.read',
    'export a version as a document',
    'Y Y Y Y Y',
    async (person, team) => person.call('GET', `/api/workflows/${await liveWorkflow(team)}/versions/1/document`),
  ],
  ['workflow.read', 'see a draft', 'Y Y Y Y Y', async (person, team) => person.call('GET', await draftInReview(team))],
  [
    'workflow.read',
    'see runs and their history',
    'Y Y Y Y Y',
    async (person, team) => person.call('GET', await running(team)),
  ],
  [
    'draft.edit',
    'create a draft',
    'Y Y Y n n',
    (person) => person.call('POST', `/api/workflows/${newKey()}/drafts`, contentTitled('Mine')),
  ],
  [
    'draft.edit',
    'edit a draft',
    'Y Y Y n n',
    async (person, team) => person.call('PATCH', await draftInReview(team), contentTitled('Edited')),
  ],
  [
    'org.manage',
    'refuse a policy change',
    'Y Y n n n',
    async (person, team) => {
      const path = `/api/organizations/${team.owner.user.currentOrgId}`;
      await team.owner.patch(path, { requiredApprovals: 0 });
      return person.call('DELETE', `${path}/policy-change`);
    },
  ],
  [
    'draft.edit',
    'rebase a draft',
    'Y Y Y n n',
    async (person, team) => person.call('POST', `${await draftInReview(team)}/rebase`),
  ],
  [
    'draft.edit',
    'import a file',
    'Y Y Y n n',
    (person) => person.call('POST', `/api/workflows/${newKey()}/import-yaml?format=json`, contentTitled('Mine')),
  ],
  [
    'draft.edit',
    'try a script',
    'Y Y Y n n',
    (person) => person.call('POST', '/api/workflows/script-trial', { script: 'return 1' }),
  ],
  [
    'workflow.read',
    'export a file',
    'Y Y Y Y Y',
    async (person, team) => person.call('GET', `/api/workflows/${await liveWorkflow(team)}/export-yaml`),
  ],
  [
    'draft.edit',
    'withdraw a draft',
    'Y Y Y n n',
    async (person, team) => person.call('POST', `${await draftInReview(team)}/withdraw`),
  ],
  [
    'draft.edit',
    'discard a draft that they edited',
    'Y Y Y n n',
    async (person, team) => {
      const path = await draftInReview(team);
      await person.call('PATCH', path, contentTitled('Edited'));
      return person.call('DELETE', path);
    },
  ],
  [
    'draft.comment',
    'comment on a draft',
    'Y Y Y Y n',
    async (person, team) => person.call('POST', `${await draftInReview(team)}/comments`, { body: 'Well' }),
  ],
  [
    'draft.comment',
    'resolve a comment',
    'Y Y Y Y n',
    async (person, team) => {
      const path = `${await draftInReview(team)}/comments`;
      const { id } = await team.author.post<{ id: string }>(path, { body: 'Well' });
      return person.call('POST', `${path}/${id}/resolve`);
    },
  ],
  [
    'draft.review',
    'approve a draft',
    'Y Y n Y n',
    async (person, team) => person.call('POST', `${await draftInReview(team)}/approve`),
  ],
  [
    'draft.review',
    'request changes to a draft',
    'Y Y n Y n',
    async (person, team) => person.call('POST', `${await draftInReview(team)}/request-changes`, { comment: 'No' }),
  ],
  [
    'draft.merge',
    'merge a draft',
    'Y Y n Y n',
    async (person, team) => person.call('POST', `${await draftInReview(team, { approved: true })}/merge`),
  ],
  ['draft.merge', 'roll back a workflow', 'Y Y n Y n', rolledBack],
  [
    'workflow.archive',
    'archive a workflow',
    'Y Y n n n',
    async (person, team) => person.call('DELETE', `/api/workflows/${await liveWorkflow(team)}`),
  ],
  [
    'workflow.archive_unmerged',
    'delete a workflow that was never merged',
    'Y Y Y n n',
    async (person, team) => {
      const path = await draftInReview(team);
      return person.call('DELETE', path.slice(0, path.indexOf('/drafts')));
    },
  ],
  [
    'run.start',
    'start a run',
    'Y Y Y Y n',
    async (person, team) => person.call('POST', '/api/runs', { key: await liveWorkflow(team), name: 'A run' }),
  ],
  [
    'run.note',
    'write a note on a run',
    'Y Y Y Y Y',
    async (person, team) => person.call('POST', `${await running(team)}/notes`, { text: 'Who knows this?' }),
  ],
  [
    'run.control',
    'pause a run',
    'Y Y Y Y n',
    async (person, team) => person.call('POST', `${await running(team)}/pause`),
  ],
  [
    'run.control',
    'resume a run',
    'Y Y Y Y n',
    async (person, team) => {
      const path = await running(team);
      await team.owner.post(`${path}/pause`);
      return person.call('POST', `${path}/resume`);
    },
  ],
  [
    'run.control',
    'cancel a run',
    'Y Y Y Y n',
    async (person, team) => person.call('POST', `${await running(team)}/cancel`, { reason: 'Over' }),
  ],
  [
    'run.control',
    'change several runs at once',
    'Y Y Y Y n',
    async (person, team) => {
      const id = (await running(team)).split('/').at(-1);
      return person.call('POST', '/api/runs/bulk', { ids: [id], action: 'set_priority', priority: 'high' });
    },
  ],
  [
    'run.control',
    'retry a step',
    'Y Y Y Y n',
    async (person, team) => {
      // Retries after a rejection of one's own work are covered by a separate test.
      const path = await running(team, { type: 'approval' }, team.author);
      await team.owner.post(`${path}/steps/step-1/reject`, { comments: 'No' });
      return person.call('POST', `${path}/steps/step-1/retry`);
    },
  ],
  ['step.act_any', 'complete any step', 'Y Y Y n n', completing(() => ({}))],
  [
    'step.act_any',
    'skip any step',
    'Y Y Y n n',
    async (person, team) => person.call('POST', `${await running(team)}/steps/step-1/skip`, { reason: 'Not needed' }),
  ],
  [
    'step.act_approval',
    'approve an approval step without an assignee',
    'Y Y n Y n',
    async (person, team) => person.call('POST', `${await running(team, { type: 'approval' })}/steps/step-1/approve`),
  ],
  [
    'step.stand_in',
    'approve an approval step for someone who has left',
    'Y Y n n n',
    async (person, team) => {
      const path = await running(team, { type: 'approval', assignee: 'gone@example.com' });
      return person.call('POST', `${path}/steps/step-1/approve`, { comments: 'They have left' });
    },
  ],
  [
    'step.act_assigned',
    'complete a step assigned to them',
    'Y Y Y Y Y',
    completing((person) => ({ assignee: person.user.email.toUpperCase() })),
  ],
  [
    'step.act_assigned',
    'complete a step assigned to their role',
    'Y Y Y Y Y',
    completing((_, role) => ({ assignee: role })),
  ],
  [
    'step.act_assigned',
    'complete a step whose settings name their role',
    'Y Y Y Y Y',
    completing((_, role) => ({ config: { assignedRole: role } })),
  ],
  [
    'org.manage',
    'see invitations',
    'Y Y n n n',
    (person, team) => person.call('GET', `/api/organizations/${team.owner.user.currentOrgId}/invitations`),
  ],
  [
    'org.manage',
    'invite someone',
    'Y Y n n n',
    (person, team) =>
      person.call('POST', `/api/organizations/${team.owner.user.currentOrgId}/invitations`, {
        email: `${newKey()}@example.com`,
        role: 'viewer',
      }),
  ],
  [
    'org.manage',
    'change a policy',
    'Y Y n n n',
    (person, team) =>
      person.call('PATCH', `/api/organizations/${team.owner.user.currentOrgId}`, { requiredApprovals: 1 }),
  ],
  [
    'org.manage',
    'create a group',
    'Y Y n n n',
    (person) => person.call('POST', '/api/groups', { name: 'Finance', slug: newKey() }),
  ],
  [
    'org.manage',
    'change a member’s role',
    'Y Y n n n',
    (person, team) =>
      person.call('PATCH', `/api/organizations/${team.owner.user.currentOrgId}/users/${team.author.user.id}`, {
        role: 'editor',
      }),
  ],
  [
    'audit.export',
    'export the audit trail',
    'Y Y Y n n',
    (person) => person.call('GET', '/api/audit/export.pdf?to=2001-01-01T00:00:00Z'),
  ],
];
