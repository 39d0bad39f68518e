import type { Diff } from '@stet/contract';
import { personalToken } from '../api-tokens.ts';
import { absence } from '../delegations.ts';
import { notify } from '../notifications.ts';
import { publish, stepsNamed, teamOf } from '../organization.ts';
import { start } from '../runs.ts';
import type { Person, TestServer } from '../server.ts';

/** The prefix of names in the organization. */
export const NAME = 'Zephyrine';
/** A live workflow with an open draft. */
export const KEY = 'zephyrine-hiring';
export const TAG = 'zephyrine-tag';
/** A workflow that was never merged. */
export const UNMERGED = 'zephyrine-idea';

/**
 * Ids in the organization, and its owner's address. The properties that begin with `my` contain the stranger's ids.
 */
export type Theirs = {
  orgId: string;
  ownerId: string;
  ownerSessionId: string;
  invitationId: string;
  confirmationId: string;
  groupId: string;
  delegationId: string;
  reviewerId: string;
  myOrgId: string;
  myDraftId: string;
  draftId: string;
  openDraftId: string;
  reviewId: string;
  commentId: string;
  versionId: string;
  runId: string;
  stepId: string;
  /** A run that is waiting for a vote, and the step that needs the vote. */
  voteRunId: string;
  voteStepId: string;
  notificationId: string;
  tokenId: string;
  webhookId: string;
  deliveryId: string;
  fileId: string;
  email: string;
};

/** The organization with its people, and a stranger who has a similar organization. */
export type Zephyrine = {
  theirs: Theirs;
  owner: Person;
  reviewer: Person;
  stranger: Person;
  /** Strings that must not appear in any response to the stranger: the organization's ids, names and addresses. */
  canaries: string[];
};

/** Creates the organization. Webhooks to 127.0.0.1 must be allowed on the server. */
export async function foundZephyrine(server: TestServer): Promise<Zephyrine> {
  const { owner, orgId, reviewer } = await teamOf(server, ['reviewer']);
  await server.sql('update organizations set name = $1 where id = $2', [`${NAME} & Sons`, orgId]);
  await server.sql('update users set name = $1 where id = $2', [`${NAME} Owner`, owner.user.id]);
  const steps = [
    { id: 'zephyrine-step', title: `${NAME} interview`, assignee: `${NAME} team`, sla: '1h' },
    ...stepsNamed('Decide'),
  ];
  const draftId = await publish(owner, reviewer, KEY, steps);
  const { against } = await reviewer.get<Diff>(`/api/workflows/${KEY}/drafts/${draftId}/diff?against=approved`);
  const run = await start(owner, KEY, `${NAME} candidate`);
  const open = await owner.post<{ draftId: string }>(`/api/workflows/${KEY}/drafts`, {
    metadata: { title: `${NAME} hiring` },
    steps,
  });
  const { id: commentId } = await reviewer.post<{ id: string }>(
    `/api/workflows/${KEY}/drafts/${open.draftId}/comments`,
    { body: `${NAME} comment` },
  );
  await owner.post(`/api/workflows/${KEY}/drafts/${open.draftId}/submit`);
  await owner.patch(`/api/workflows/${KEY}`, { tags: [TAG] });
  await publish(owner, reviewer, 'zephyrine-onboarding', steps);
  const { id: invitationId } = await owner.post<{ id: string }>(`/api/organizations/${orgId}/invitations`, {
    email: 'invited@example.com',
    role: 'admin',
  });
  const { webhook } = await owner.post<{ webhook: { id: string } }>('/api/webhooks', {
    name: `${NAME} listens`,
    url: 'https://127.0.0.1/',
    actions: ['audit.erased'],
  });
  // The delivery is finished, so that it doesn't change.
  const deliveryId = '01890000-0000-7000-8000-00000000000d';
  await server.sql(
    `insert into webhook_deliveries (org_id, id, webhook_id, action, subject, state, ended_at) values ($1, $2, $3, 'webhook.test', 'test', 'dead', now())`,
    [orgId, deliveryId, webhook.id],
  );
  const { id: groupId } = await owner.post<{ id: string }>('/api/groups', {
    name: `${NAME} Finance`,
    slug: 'zephyrine-finance',
    members: [reviewer.user.id],
  });
  const { id: delegationId } = await owner.post<{ id: string }>('/api/delegations', absence(reviewer));
  await owner.post(`/api/workflows/${UNMERGED}/drafts`, { metadata: { title: `${NAME} idea` }, steps });
  await publish(owner, reviewer, 'zephyrine-vote', [{ id: 'zephyrine-vote', title: `${NAME} vote`, type: 'approval' }]);
  const vote = await start(owner, 'zephyrine-vote', `${NAME} vote`);
  const stranger = await server.signUp({ team: 'Another' });
  await publish(stranger, stranger, 'mine');
  const mine = await stranger.post<{ draftId: string }>('/api/workflows/mine/drafts', {
    metadata: { title: 'Mine' },
    steps: [{ id: 'step-1', title: 'Mine' }],
  });
  const theirs: Theirs = {
    orgId,
    ownerId: owner.user.id,
    ownerSessionId: (await owner.get<{ id: string }[]>('/api/users/me/sessions'))[0]?.id ?? '',
    invitationId,
    confirmationId: await waitingConfirmation(server, orgId, owner),
    groupId,
    delegationId,
    reviewerId: reviewer.user.id,
    myOrgId: stranger.user.currentOrgId ?? '',
    draftId,
    openDraftId: open.draftId,
    reviewId: against.reviewId ?? '',
    commentId,
    myDraftId: mine.draftId,
    versionId: draftId,
    runId: run.id,
    stepId: 'zephyrine-step',
    voteRunId: vote.id,
    voteStepId: 'zephyrine-vote',
    notificationId: await notify(server, owner, `${NAME} has news`),
    tokenId: (await personalToken(server, owner)).id,
    webhookId: webhook.id,
    deliveryId,
    fileId: await attachedFile(server, orgId, run.id, owner),
    email: owner.user.email,
  };
  const { myOrgId: _org, myDraftId: _draft, stepId: _step, voteStepId: _vote, ...ids } = theirs;
  const canaries = [
    NAME,
    TAG,
    'invited@example.com',
    reviewer.user.email,
    reviewer.user.id,
    ...new Set(Object.values(ids)),
  ];
  return { theirs, owner, reviewer, stranger, canaries };
}

/** A file that belongs to a step of a run. */
async function attachedFile({ sql }: TestServer, orgId: string, runId: string, by: Person): Promise<string> {
  const id = '01890000-0000-7000-8000-0000000000f1';
  await sql(
    `insert into files (org_id, id, run_id, step_id, name, size, sha256, uploaded_by)
     values ($1, $2, $3, 'zephyrine-step', $4, 1, decode(repeat('00', 32), 'hex'), $5)`,
    [orgId, id, runId, `${NAME} passport.pdf`, by.user.id],
  );
  await sql(`insert into file_chunks (org_id, file_id, n, bytes) values ($1, $2, 0, 'x')`, [orgId, id]);
  await sql(`insert into file_usage (org_id, bytes) values ($1, 1)`, [orgId]);
  await sql(`insert into file_previews (org_id, file_id, bytes) values ($1, $2, 'a preview')`, [orgId, id]);
  await sql(`update files set media_type = 'application/pdf', activation = 1 where id = $1`, [id]);
  return id;
}

/** A proposal that is waiting for a second manager. */
async function waitingConfirmation({ sql }: TestServer, orgId: string, by: Person): Promise<string> {
  const id = '01890000-0000-7000-8000-0000000000c0';
  await sql(
    `insert into confirmations (org_id, id, kind, subject_id, payload, sentence, proposed_by)
     values ($1, $2, 'policy', 'strict', '{"strict": false}', $3, $4)`,
    [orgId, id, `${NAME} proposal`, by.user.id],
  );
  return id;
}

/** Tables that the server writes on its own schedule. */
const UNSTABLE_TABLES = [
  'audit_checkpoints',
  'audit_verifications',
  'webhook_cursors',
  'insight_cursors',
  'insight_cells',
  'insight_findings',
  'insight_reviews',
  'insight_runs',
];

/**
 * Every row of an organization in all tenant tables except `UNSTABLE_TABLES`, as text. The text stays the same if
 * nothing was changed.
 */
export async function stateOf({ sql }: TestServer, orgId: string): Promise<string> {
  const tables = await sql<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'org_id' and table_name <> all ($1) order by 1`,
    [UNSTABLE_TABLES],
  );
  if (tables.length < 9) throw new Error('found too few tenant tables');
  const states = [];
  for (const { name } of tables) {
    states.push(
      ...(await sql(
        `select '${name}' as name, json_agg(t order by t::text)::text as rows from "${name}" t where org_id = $1`,
        [orgId],
      )),
    );
  }
  return JSON.stringify([...states, await sql('select * from organizations where id = $1', [orgId])]);
}
