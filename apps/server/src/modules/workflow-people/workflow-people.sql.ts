import type { OrgRole } from '@stet/domain/access';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

export type PersonRow = { id: string; name: string; email: string };

/**
 * A reviewer of a workflow. `addedAt` is in ISO 8601. `addedBy` contains the person who added the reviewer, and the
 * other people who count as that person.
 */
export type NamedReviewer = PersonRow & { addedAt: string; addedBy: string[]; isDisabled: boolean };

const row = z.object({
  workflow_id: z.uuid(),
  key: z.string(),
  title: z.string(),
  type: z.enum(['individual', 'team']),
  needs_reviewer: z.boolean(),
  owners: z.custom<PersonRow[]>(),
  reviewers: z.custom<NamedReviewer[]>(),
  /** The list of reviewers that waits for a second manager. */
  pending: z.custom<{ reviewers: PersonRow[]; by: PersonRow; at: string } | null>(),
  /** The time that a change to these people gets: after everything in the trail (`next_change`). */
  now: z.date(),
});
export type WorkflowPeopleRow = z.output<typeof row>;

const columns = `
  w.id as workflow_id, w.key, w.title, o.type, coalesce(r.needs_reviewer, false) as needs_reviewer, next_change($1) as now,
  (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'email', u.email) order by p.added_at, u.id), '[]')
   from workflow_people p join users u on u.id = p.user_id
   where p.org_id = w.org_id and p.workflow_id = w.id and p.part = 'owner') as owners,
  (select coalesce(json_agg(json_build_object(
            'id', u.id, 'name', u.name, 'email', u.email, 'addedAt', p.added_at, 'addedBy', p.added_by,
            'isDisabled', u.disabled_at is not null) order by p.added_at, u.id), '[]')
   from workflow_people p join users u on u.id = p.user_id
   where p.org_id = w.org_id and p.workflow_id = w.id and p.part = 'reviewer') as reviewers,
  (select json_build_object('reviewers', k.payload -> 'reviewers', 'at', k.proposed_at,
                            'by', json_build_object('id', p.id, 'name', p.name, 'email', p.email))
   from confirmations k join users p on p.id = k.proposed_by
   where k.org_id = w.org_id and k.kind = 'reviewers' and k.subject_id = w.id::text and k.status = 'waiting') as pending`;
const from = `
  from workflows w join organizations o on o.id = w.org_id
  left join workflow_review_rules r on r.org_id = w.org_id and r.workflow_id = w.id`;

/**
 * Selects the person shown as the owner of the workflow `w`: the owner who was named first or, if there is none, the
 * user `creator`.
 */
export const shownOwner = (creator: string): string => `
  coalesce((
    select json_build_object('id', u.id, 'name', u.name, 'email', u.email)
    from workflow_people p join users u on u.id = p.user_id
    where p.org_id = w.org_id and p.workflow_id = w.id and p.part = 'owner' order by p.added_at, u.id limit 1
  ), json_build_object('id', ${creator}.id, 'name', ${creator}.name, 'email', ${creator}.email))`;

/** The owners and reviewers of a workflow, by its key or id. */
export const findWorkflowPeople = statement({
  name: 'find_workflow_people',
  params: ['orgId', 'key', 'workflowId'],
  row,
  text: `select ${columns} ${from} where w.org_id = $1 and (w.key = $2 or w.id = $3::uuid) and w.deleted_at is null`,
});

/** The workflows that name a person as an owner or reviewer. */
export const listWorkflowsOf = statement({
  name: 'list_workflows_of_member',
  params: ['orgId', 'userId'],
  row,
  text: `select ${columns} ${from}
         where w.org_id = $1 and w.id in (
           select p.workflow_id from workflow_people p where p.org_id = $1 and p.user_id = $2
         ) order by w.id`,
});

/** Locks a workflow, so that none of its drafts is merged while its people change. */
export const lockWorkflowOfPeople = statement({
  name: 'lock_workflow_of_people',
  params: ['orgId', 'key'],
  row: z.object({ id: z.uuid() }),
  text: `select id from workflows where org_id = $1 and key = $2 and deleted_at is null for no key update`,
});

const memberRow = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.custom<OrgRole>(),
  is_disabled: z.boolean(),
});
export type MemberRow = z.output<typeof memberRow>;

/** The members with these ids. */
export const listMembersNamed = statement({
  name: 'list_members_named_by_workflow',
  params: ['orgId', 'userIds'],
  row: memberRow,
  text: `select u.id, u.name, u.email, m.role, u.disabled_at is not null as is_disabled
         from memberships m join users u on u.id = m.user_id
         where m.org_id = $1 and m.user_id = any ($2::uuid[])`,
});

export const saveReviewRule = statement({
  name: 'save_review_rule',
  params: ['orgId', 'workflowId', 'needsReviewer'],
  text: `insert into workflow_review_rules (org_id, workflow_id, needs_reviewer) values ($1, $2, $3)
         on conflict (org_id, workflow_id) do update set needs_reviewer = excluded.needs_reviewer`,
});

export const insertWorkflowPeople = statement({
  name: 'insert_workflow_people',
  params: ['orgId', 'workflowId', 'part', 'userIds', 'addedBy', 'at'],
  text: `insert into workflow_people (org_id, workflow_id, part, user_id, added_by, added_at)
         select $1, $2, $3, added.id, $5::uuid[], $6 from unnest($4::uuid[]) as added (id)`,
});

export const deleteWorkflowPeople = statement({
  name: 'delete_workflow_people',
  params: ['orgId', 'workflowId', 'part', 'userIds'],
  text: `delete from workflow_people
         where org_id = $1 and workflow_id = $2 and part = $3 and user_id = any ($4::uuid[])`,
});
