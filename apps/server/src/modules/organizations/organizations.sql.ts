import type { OrgRole, Proof } from '@stet/domain/access';
import { type ReviewRoute, SIMULATED_STEPS_POLICIES } from '@stet/domain/drafts';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

export const listMembers = statement({
  name: 'list_members',
  params: ['orgId'],
  row: z.object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: z.custom<OrgRole>(),
    provedBy: z.custom<Proof>().nullable(),
    addedBy: z.custom<PersonRow>().nullable(),
    confirmedBy: z.custom<PersonRow>().nullable(),
  }),
  text: `select u.id, u.name, u.email, m.role, member_proof(m.org_id, u.id) as "provedBy",
                (select json_build_object('id', g.id, 'name', g.name, 'email', g.email) from users g where g.id = m.given_by) as "addedBy",
                (select json_build_object('id', c.id, 'name', c.name, 'email', c.email)
                 from confirmations k join users c on c.id = k.decided_by
                 where k.org_id = m.org_id and k.kind = 'member' and k.subject_id = u.id::text and k.status = 'confirmed'
                   and confirmation_counts(k)
                 order by k.decided_at desc limit 1) as "confirmedBy"
         from memberships m join users u on u.id = m.user_id
         where m.org_id = $1 order by lower(u.name), u.id`,
});

export const listCommonAssignees = statement({
  name: 'list_common_assignees',
  params: ['orgId'],
  row: z.object({ assignee: z.string() }),
  text: `select trim(name) as assignee
         from workflow_versions v cross join json_array_elements(v.steps) step
         cross join regexp_split_to_table(step ->> 'assignee', ',\\s') name
         where v.org_id = $1 and v.status = 'live' and trim(name) <> ''
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
  strict: z.boolean(),
  resolved_comments: z.boolean(),
  password_minimum: z.number(),
  review_routes: z.custom<ReviewRoute[]>(),
  /** The proposal to lower the number of required approvals, if one waits for a second manager. */
  pending: z.custom<{ requiredApprovals: number; by: PersonRow; at: string | Date } | null>(),
  /** The proposal to turn off strict review, if one waits for a second manager. */
  pending_strict: z.custom<{ by: PersonRow; at: string | Date } | null>(),
  created_at: z.date(),
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

/** The live workflows with simulated steps. This scans the steps of all live versions. */
export const listSimulatedWorkflows = statement({
  name: 'list_simulated_workflows',
  params: ['orgId'],
  row: z.object({ key: z.string(), title: z.string() }),
  text: simulatedWorkflows,
});

const selectOrganization = `
  select o.id, o.name, o.type, o.slug, o.required_approvals, o.strict, o.resolved_comments, o.password_minimum, o.review_routes, o.editors_may_help, o.simulated_steps, o.created_at,
         case when o.simulated_steps = 'allowed' then '[]'
              else (select coalesce(json_agg(s), '[]') from (${simulatedWorkflows}) s) end as simulated_workflows,
         (select json_build_object('requiredApprovals', k.payload -> 'requiredApprovals', 'at', k.proposed_at,
                                   'by', json_build_object('id', u.id, 'name', u.name, 'email', u.email))
          from confirmations k join users u on u.id = k.proposed_by
          where k.org_id = o.id and k.kind = 'policy' and k.subject_id = 'requiredApprovals' and k.status = 'waiting') as pending,
         (select json_build_object('at', k.proposed_at, 'by', json_build_object('id', u.id, 'name', u.name, 'email', u.email))
          from confirmations k join users u on u.id = k.proposed_by
          where k.org_id = o.id and k.kind = 'policy' and k.subject_id = 'strict' and k.status = 'waiting') as pending_strict
  from organizations o where o.id = $1`;

/**
 * Reads the organization and locks it until the transaction ends. All changes to members and policies lock the
 * organization, so members and policies that are read after this statement are still current at the commit.
 */
export const lockOrganization = statement({
  name: 'lock_organization',
  params: ['orgId'],
  row: organizationRow,
  text: `${selectOrganization} for no key update of o`,
});

export const listGroupSlugs = statement({
  name: 'list_group_slugs',
  params: ['orgId'],
  row: z.object({ slug: z.string() }),
  text: `select slug from groups where org_id = $1`,
});

export const findOrganization = statement({
  name: 'find_organization',
  params: ['orgId'],
  row: organizationRow,
  text: selectOrganization,
});

export const renameOrganization = statement({
  name: 'rename_organization',
  params: ['orgId', 'name'],
  text: `update organizations set name = $2 where id = $1`,
});

export const savePolicies = statement({
  name: 'save_policies',
  params: [
    'orgId',
    'requiredApprovals',
    'strict',
    'editorsMayHelp',
    'simulatedSteps',
    'resolvedComments',
    'passwordMinimum',
    'reviewRoutes',
  ],
  text: `update organizations
         set required_approvals = $2, strict = $3, editors_may_help = $4, simulated_steps = $5, resolved_comments = $6,
             password_minimum = $7, review_routes = $8::jsonb
         where id = $1`,
});

/** The people involved in a membership change: the actor and the member, each with the number of owners. */
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
  params: ['orgId', 'userId', 'role', 'givenBy'],
  text: `update memberships set role = $3, given_by = $4 where org_id = $1 and user_id = $2`,
});

/** Also stores who ended the role, which the trigger that stores the time doesn't know. */
export const deleteMembership = statement({
  name: 'delete_membership',
  params: ['orgId', 'userId', 'endedBy'],
  text: `with ended as (delete from memberships where org_id = $1 and user_id = $2 returning org_id, user_id)
         update role_history h set ended_by = $3 from ended
         where h.org_id = ended.org_id and h.user_id = ended.user_id and h.until is null`,
});

/** Ends a person's sessions if the person has selected this organization. */
export const endSessionsIn = statement({
  name: 'end_sessions_in',
  params: ['orgId', 'userId'],
  text: `update sessions s set ended_at = now() from users u
         where u.id = $2 and u.current_org_id = $1 and s.user_id = u.id and s.ended_at is null`,
});

export const unselectOrganization = statement({
  name: 'unselect_organization',
  params: ['orgId', 'userId'],
  text: `update users set current_org_id = null where id = $2 and current_org_id = $1`,
});

/** Returns the given addresses (in lower case) that are current or former addresses of members. */
export const listMemberEmails = statement({
  name: 'list_member_emails',
  params: ['orgId', 'emails'],
  row: z.object({ email: z.string() }),
  text: `select asked.email from unnest($2::text[]) as asked (email)
         join users u on u.email = current_address(asked.email)
         join memberships m on m.org_id = $1 and m.user_id = u.id`,
});
