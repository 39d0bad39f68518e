import type { OrgRole } from '@stet/domain/access';
import { SIMULATED_STEPS_POLICIES } from '@stet/domain/drafts';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

export const listMembers = statement({
  name: 'list_members',
  params: ['orgId'],
  row: z.object({ id: z.uuid(), name: z.string(), email: z.string(), role: z.custom<OrgRole>() }),
  text: `select u.id, u.name, u.email, m.role
         from memberships m join users u on u.id = m.user_id
         where m.org_id = $1 order by lower(u.name), u.id`,
});

export const listCommonAssignees = statement({
  name: 'list_common_assignees',
  params: ['orgId'],
  row: z.object({ assignee: z.string() }),
  text: `select step ->> 'assignee' as assignee
         from workflow_versions v cross join json_array_elements(v.steps) step
         where v.org_id = $1 and v.status = 'live' and coalesce(step ->> 'assignee', '') <> ''
         group by 1 order by count(*) desc, 1 limit 20`,
});

const organizationRow = z.object({
  id: z.uuid(),
  name: z.string(),
  type: z.enum(['individual', 'team']),
  slug: z.string().nullable(),
  required_approvals: z.number(),
  editors_may_help: z.boolean(),
  simulated_steps: z.enum(SIMULATED_STEPS_POLICIES),
  simulated_workflows: z.custom<{ key: string; title: string }[]>(),
  pending_approvals: z.number().nullable(),
  pending_proposed_at: z.date().nullable(),
  proposer: z.custom<PersonRow>().nullable(),
  created_at: z.date(),
  now: z.date(),
});
export type OrganizationRow = z.output<typeof organizationRow>;
type PersonRow = { id: string; name: string; email: string };

const simulatedWorkflows = `
           select w.key, w.title from workflows w
           join workflow_versions v on v.org_id = w.org_id and v.id = w.live_version_id
           where w.org_id = $1 and w.archived_at is null and w.deleted_at is null and exists (
             select from json_array_elements(v.steps) step
             where step ->> 'type' = 'automated' and coalesce(step #>> '{config,script}', '') !~ '\\S'
           )
           order by lower(w.title), w.key`;

/** The live workflows that have simulated steps: a look at the steps of every live version. */
export const listSimulatedWorkflows = statement({
  name: 'list_simulated_workflows',
  params: ['orgId'],
  row: z.object({ key: z.string(), title: z.string() }),
  text: simulatedWorkflows,
});

const selectOrganization = `
  select o.id, o.name, o.type, o.slug, o.required_approvals, o.editors_may_help, o.simulated_steps,
         case when o.simulated_steps = 'allowed' then '[]'
              else (select coalesce(json_agg(s), '[]') from (${simulatedWorkflows}) s) end as simulated_workflows,
         o.pending_approvals, o.pending_proposed_at, o.created_at, clock_timestamp() as now,
         (select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = o.pending_proposed_by) as proposer
  from organizations o where o.id = $1`;

/**
 * The organization, held until the transaction ends: members, invitations and policies are changed one at a time, so that
 * what was read of them here still holds when it is changed.
 */
export const lockOrganization = statement({
  name: 'lock_organization',
  params: ['orgId'],
  row: organizationRow,
  text: `${selectOrganization} for no key update of o`,
});

export const findOrganization = statement({
  name: 'find_organization',
  params: ['orgId'],
  row: organizationRow,
  text: selectOrganization,
});

/** Members of the roles that manage the organization; read behind its lock, these are all there are. */
export const listManagers = statement({
  name: 'list_managers',
  params: ['orgId', 'roles'],
  row: z.object({ id: z.uuid() }),
  text: `select user_id as id from memberships where org_id = $1 and role = any ($2) order by user_id`,
});

/** Who ceased to be an owner or admin since then, by the audit trail: what was removed leaves no other row. */
export const listFormerManagers = statement({
  name: 'list_former_managers',
  params: ['orgId', 'roles', 'cooling'],
  row: z.object({ id: z.string(), name: z.string(), at: z.date() }),
  text: `select e.subject_id as id, coalesce(u.name, e.payload::jsonb #>> '{data,name}', e.subject_id) as name, e.at
         from audit_events e left join users u on u.id::text = e.subject_id
         where e.org_id = $1 and e.action in ('member.role_changed', 'member.removed', 'member.left')
           and e.seq >= audit_seq_at($1, now() - $3 * interval '1 millisecond')
           and coalesce(e.payload::jsonb #>> '{data,before,role}', e.payload::jsonb #>> '{data,role}') = any ($2)
           and coalesce(e.payload::jsonb #>> '{data,after,role}', '') <> all ($2)`,
});

export const renameOrganization = statement({
  name: 'rename_organization',
  params: ['orgId', 'name'],
  text: `update organizations set name = $2 where id = $1`,
});

/** Another number of required approvals from now on; nothing waits to be confirmed any more. */
export const saveApprovals = statement({
  name: 'save_required_approvals',
  params: ['orgId', 'requiredApprovals'],
  text: `update organizations
         set required_approvals = $2, pending_approvals = null, pending_proposed_by = null, pending_proposed_at = null where id = $1`,
});

export const saveRunPolicies = statement({
  name: 'save_run_policies',
  params: ['orgId', 'editorsMayHelp', 'simulatedSteps'],
  text: `update organizations set editors_may_help = $2, simulated_steps = $3 where id = $1`,
});

export const proposeApprovals = statement({
  name: 'propose_required_approvals',
  params: ['orgId', 'requiredApprovals', 'userId', 'at'],
  text: `update organizations set pending_approvals = $2, pending_proposed_by = $3, pending_proposed_at = $4 where id = $1`,
});

export const endPolicyProposal = statement({
  name: 'end_policy_proposal',
  params: ['orgId'],
  text: `update organizations set pending_approvals = null, pending_proposed_by = null, pending_proposed_at = null where id = $1`,
});

/** Those whom a change of a membership is about: who asks, whom it concerns, and how many owners there are. */
export const findMembersConcerned = statement({
  name: 'find_members_concerned',
  params: ['orgId', 'actorId', 'targetId'],
  row: z.object({ id: z.uuid(), name: z.string(), email: z.string(), role: z.custom<OrgRole>(), owners: z.number() }),
  text: `select u.id, u.name, u.email, m.role,
                (select count(*) from memberships o where o.org_id = $1 and o.role = 'owner')::int as owners
         from memberships m join users u on u.id = m.user_id
         where m.org_id = $1 and m.user_id in ($2, $3)`,
});

export const setMemberRole = statement({
  name: 'set_member_role',
  params: ['orgId', 'userId', 'role'],
  text: `update memberships set role = $3 where org_id = $1 and user_id = $2`,
});

export const deleteMembership = statement({
  name: 'delete_membership',
  params: ['orgId', 'userId'],
  text: `delete from memberships where org_id = $1 and user_id = $2`,
});

/** Sessions of someone who works in the organization at this moment; one who works in another of theirs goes on. */
export const endSessionsIn = statement({
  name: 'end_sessions_in',
  params: ['orgId', 'userId'],
  text: `update sessions s set ended_at = now() from users u
         where u.id = $2 and u.current_org_id = $1 and s.user_id = u.id and s.ended_at is null`,
});

export const leaveSelected = statement({
  name: 'leave_selected_organization',
  params: ['orgId', 'userId'],
  text: `update users set current_org_id = null where id = $2 and current_org_id = $1`,
});
