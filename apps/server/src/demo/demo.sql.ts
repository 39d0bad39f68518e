import { z } from 'zod';
import { statement } from '../db/statement.ts';

export const findAccount = statement({
  name: 'find_demo_account',
  params: ['email'],
  row: z.object({ id: z.uuid(), created_at: z.date() }),
  text: `select id, created_at from users where email = $1`,
});

export const findMembership = statement({
  name: 'find_demo_membership',
  params: ['orgId', 'userId'],
  row: z.object({ role: z.string() }),
  text: `select role from memberships where org_id = $1 and user_id = $2`,
});

/** Turns off email to the demo's people while the demo is being filled. */
export const muteMembers = statement({
  name: 'hush_demo_members',
  params: ['orgId'],
  text: `insert into notification_preferences (org_id, user_id, news, channel, pace)
         select m.org_id, m.user_id, n.news, 'email', 'off'
         from memberships m cross join unnest(array['assignments', 'sla', 'review_requests', 'decisions', 'mentions']) as n (news)
         where m.org_id = $1
         on conflict (org_id, user_id, news, channel) do update set pace = 'off'`,
});

/** Turns email on again, marks notifications about merged drafts as read, and backdates them. */
export const unmuteMembers = statement({
  name: 'unhush_demo_members',
  params: ['orgId'],
  text: `with told as (
           update notification_preferences set pace = 'at_once' where org_id = $1 and channel = 'email'
         )
         update notifications n set created_at = date_trunc('milliseconds', v.merged_at), read_at = v.merged_at
         from workflow_versions v
         where n.org_id = $1 and v.org_id = n.org_id and v.id = n.draft_id and v.merged_at is not null`,
});

/** Backdates a merged version, its workflow, and the end of the previous version, once. */
export const dateVersion = statement({
  name: 'date_demo_version',
  params: ['orgId', 'id', 'createdAt', 'mergedAt'],
  text: `with dated as (
           update workflow_versions
           set created_at = $3, submitted_at = $3, merged_at = $4, updated_at = $4
           where org_id = $1 and id = $2 and merged_at <> $4
           returning workflow_id, version
         ),
         ended as (
           update workflow_versions before
           set superseded_at = $4
           from dated
           where before.org_id = $1 and before.workflow_id = dated.workflow_id and before.version = dated.version - 1
             and before.status = 'superseded'
         )
         update workflows w
         set created_at = least(w.created_at, $3), updated_at = $4
         from dated where w.org_id = $1 and w.id = dated.workflow_id`,
});
