import type { WorkflowContent } from '@stet/domain/workflows';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

/**
 * For some hours, lets the account sign in with its password even if the identity provider is required. 0 hours end
 * this immediately.
 */
export const allowPassword = statement({
  name: 'allow_password',
  params: ['userId', 'hours'],
  text: `update users set password_allowed_until = now() + make_interval(hours => $2) where id = $1`,
});

/** The members of an organization. Lock the organization first, so that their roles can't change before the commit. */
export const listMembers = statement({
  name: 'list_members_for_new_owner',
  params: ['orgId'],
  row: z.object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: z.string(),
    is_disabled: z.boolean(),
  }),
  text: `select u.id, u.email, u.name, m.role, u.disabled_at is not null as is_disabled
         from memberships m join users u on u.id = m.user_id where m.org_id = $1 order by u.email`,
});

/** Deletes a former address. Returns the account that it named, or no row if it isn't a former address. */
export const releaseAddress = statement({
  name: 'release_former_address',
  params: ['email'],
  row: z.object({ id: z.uuid(), name: z.string(), email: z.string() }),
  text: `with released as (delete from former_addresses where email = $1 returning user_id)
         select u.id, u.name, u.email from released r join users u on u.id = r.user_id`,
});

/** Disconnects an account from the identities of the provider that have this address. */
export const disconnectAddress = statement({
  name: 'disconnect_identities_of_address',
  params: ['userId', 'email'],
  row: z.object({ issuer: z.string() }),
  text: `delete from identities where user_id = $1 and email = $2 returning issuer`,
});

/**
 * Opens the tasks that name a released address to others if too few people are left who can complete them, in the same
 * way as when a member leaves. Must be executed after the release, in the same transaction.
 */
export const openTasksNaming = statement({
  name: 'open_tasks_naming_address',
  params: ['email'],
  text: `select from (select distinct org_id from run_tasks where who = $1 and not has_ended(org_id)) t,
                lateral open_tasks_of(t.org_id, array[$1::text])`,
});

/**
 * Versions that are live or have open runs and whose steps contain the text, which must be in lower case, and live
 * versions of workflows whose escalation names it.
 */
export const findVersionsContaining = statement({
  name: 'find_versions_containing',
  params: ['text'],
  row: z.object({
    organization: z.string(),
    key: z.string(),
    version: z.number(),
    is_live: z.boolean(),
    open_runs: z.number(),
    in_escalation: z.boolean(),
    steps: z.custom<WorkflowContent['steps']>(),
  }),
  text: `select o.name as organization, w.key, v.version, w.live_version_id = v.id as is_live, r.open_runs, e.in_escalation, v.steps
         from workflow_versions v
         join workflows w on w.org_id = v.org_id and w.id = v.workflow_id
         join organizations o on o.id = v.org_id
         cross join lateral (
           select count(*)::int as open_runs from runs r
           where r.org_id = v.org_id and r.version_id = v.id and r.status in ('running', 'paused', 'failed')
         ) r
         cross join lateral (
           select w.live_version_id = v.id and exists (
             select from workflow_escalations e where e.org_id = w.org_id and e.workflow_id = w.id and e.tell ? $1
           ) as in_escalation
         ) e
         where v.version is not null and (w.live_version_id = v.id or r.open_runs > 0)
           and (position($1 in lower(v.steps::text)) > 0 or e.in_escalation)
         order by o.name, w.key, v.version`,
});
