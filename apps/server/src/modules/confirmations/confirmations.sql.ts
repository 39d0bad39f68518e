import type { ConfirmationKind } from '@stet/domain/access';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

type PersonRow = { id: string; name: string; email: string };

const confirmationRow = z.object({
  id: z.uuid(),
  kind: z.custom<ConfirmationKind>(),
  subject_id: z.string(),
  payload: z.custom<Record<string, unknown>>(),
  sentence: z.string(),
  proposer: z.custom<PersonRow>(),
  proposed_at: z.date(),
  status: z.custom<'waiting' | 'confirmed' | 'refused' | 'withdrawn' | 'replaced'>(),
  decider: z.custom<PersonRow>().nullable(),
  decided_at: z.date().nullable(),
  reason: z.string().nullable(),
  /** The names of the groups of the person whom a confirmation concerns. */
  groups: z.custom<string[]>(),
});
export type ConfirmationRow = z.output<typeof confirmationRow>;

const selectConfirmation = `
  select k.id, k.kind, k.subject_id, k.payload, k.sentence, k.proposed_at, k.status, k.decided_at, k.reason,
         (select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = k.proposed_by) as proposer,
         (select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = k.decided_by) as decider,
         array(select g.name from group_members m join groups g on g.org_id = m.org_id and g.id = m.group_id
               where k.kind = 'member' and m.org_id = k.org_id and m.user_id::text = k.subject_id order by lower(g.name)) as groups
  from confirmations k where k.org_id = $1`;

/**
 * Lists the pending confirmations: all, or those proposed by `proposedBy`. Omits those about people who have been proved
 * in the meantime, unless the person has a role in `reviewing`.
 */
export const listWaiting = statement({
  name: 'list_waiting_confirmations',
  params: ['orgId', 'proposedBy', 'reviewing'],
  row: confirmationRow,
  text: `${selectConfirmation} and k.status = 'waiting' and ($2::uuid is null or k.proposed_by = $2)
           and not (k.kind = 'member' and exists (
             select from memberships m
             where m.org_id = k.org_id and m.user_id::text = k.subject_id and m.role <> all ($3)
               and member_proof(m.org_id, m.user_id) is not null
           ))
         order by k.proposed_at desc, k.id desc limit 200`,
});

export const findConfirmation = statement({
  name: 'find_confirmation',
  params: ['orgId', 'id'],
  row: confirmationRow,
  text: `${selectConfirmation} and k.id = $2`,
});

/** Finds the pending confirmation about a subject. While the organization is locked, nobody else can add one. */
export const findWaiting = statement({
  name: 'find_waiting_confirmation',
  params: ['orgId', 'kind', 'subjectId'],
  row: confirmationRow,
  text: `${selectConfirmation} and k.kind = $2 and k.subject_id = $3 and k.status = 'waiting'`,
});

/**
 * Inserts a proposal. One to remove members of a group gets a time that isn't before the addition of any of its
 * members, even if a clock was set back since then.
 */
export const insertConfirmation = statement({
  name: 'insert_confirmation',
  params: ['orgId', 'id', 'kind', 'subjectId', 'payload', 'sentence', 'proposedBy', 'at'],
  text: `insert into confirmations (org_id, id, kind, subject_id, payload, sentence, proposed_by, proposed_at)
         values ($1, $2, $3, $4, $5, $6, $7, case when $3 = 'group_members' then greatest(next_change($1, $8), (
           select max(m.added_at) from group_members m where m.org_id = $1 and m.group_id = ($5::jsonb ->> 'groupId')::uuid
         )) else $8 end)`,
});

/**
 * Ends a proposal. The decision gets a time after everything in the trail, even if a clock was set back, unless the
 * trail is more than a day ahead. If it is about a person, the time is also after all changes of their roles.
 */
export const endConfirmation = statement({
  name: 'end_confirmation',
  params: ['orgId', 'id', 'status', 'decidedBy', 'reason'],
  row: z.object({ id: z.uuid() }),
  text: `update confirmations set status = $3, decided_by = $4, reason = $5,
           decided_at = case when kind = 'member' then next_role_change($1, array[subject_id::uuid]) else next_change($1) end
         where org_id = $1 and id = $2 and status = 'waiting' returning id`,
});

/** Ends the pending confirmation about a subject, because a newer one replaces it or nothing is left to confirm. */
export const replaceWaiting = statement({
  name: 'replace_waiting_confirmation',
  params: ['orgId', 'kind', 'subjectId'],
  text: `update confirmations set status = 'replaced', decided_at = clock_timestamp()
         where org_id = $1 and kind = $2 and subject_id = $3 and status = 'waiting'`,
});

/** Ends the proposals about a workflow that is deleted, because nobody could confirm them any more. */
export const replaceWaitingForWorkflow = statement({
  name: 'replace_waiting_confirmations_for_workflow',
  params: ['orgId', 'workflowId'],
  text: `update confirmations set status = 'replaced', decided_at = clock_timestamp()
         where org_id = $1 and kind in ('escalation', 'reviewers') and subject_id = $2::uuid::text and status = 'waiting'`,
});

/** Ends the proposals about the members of a group that is deleted. */
export const replaceWaitingForGroup = statement({
  name: 'replace_waiting_confirmations_for_group',
  params: ['orgId', 'groupId'],
  text: `update confirmations set status = 'replaced', decided_at = clock_timestamp()
         where org_id = $1 and kind = 'group_members' and payload ->> 'groupId' = $2::uuid::text and status = 'waiting'`,
});

/** Lists the managers who confirmed a member in one of the roles in `enough`, or with effect for all roles. */
export const listConfirmers = statement({
  name: 'list_confirmers',
  params: ['orgId', 'subjectId', 'enough'],
  row: z.object({ id: z.uuid() }),
  text: `select decided_by as id from confirmations
         where org_id = $1 and kind = 'member' and subject_id = $2 and status = 'confirmed'
           and (counts_for_all_roles or payload ->> 'role' = any ($3::text[]))`,
});

/** Locks the organization, so that changes for a second manager are proposed, replaced and decided one at a time. */
export const lockConfirmations = statement({
  name: 'lock_confirmations',
  params: ['orgId'],
  row: z.object({ id: z.uuid() }),
  text: `select id from organizations where id = $1 for no key update`,
});

export const listOrganizationsWithEmergencies = statement({
  name: 'list_organizations_with_emergencies',
  params: [],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from organizations_with_emergencies() as org_id`,
});

/** The emergencies that are neither ratified nor refused, oldest first. */
export const listWaitingEmergencies = statement({
  name: 'list_waiting_emergencies',
  params: ['orgId'],
  row: confirmationRow.extend({ now: z.date() }),
  text: `select k.*, clock_timestamp() as now from (${selectConfirmation} and k.kind = 'emergency' and k.status = 'waiting') k
         order by k.proposed_at limit 200`,
});
