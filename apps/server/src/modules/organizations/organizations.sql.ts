import type { OrgRole } from '@stet/domain/access';
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
  created_at: z.date(),
});
export type OrganizationRow = z.output<typeof organizationRow>;

/**
 * The organization, held until the transaction ends: members, invitations and policies are changed one at a time, so that
 * what was read of them here still holds when it is changed.
 */
export const lockOrganization = statement({
  name: 'lock_organization',
  params: ['orgId'],
  row: organizationRow,
  text: `select id, name, type, slug, required_approvals, created_at from organizations where id = $1 for no key update`,
});

export const findOrganization = statement({
  name: 'find_organization',
  params: ['orgId'],
  row: organizationRow,
  text: `select id, name, type, slug, required_approvals, created_at from organizations where id = $1`,
});

export const saveOrganization = statement({
  name: 'save_organization',
  params: ['orgId', 'name', 'requiredApprovals'],
  text: `update organizations set name = $2, required_approvals = $3 where id = $1`,
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
