import type { NoticeKind } from '@stet/domain/notifications';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

/** The active step that a job was made for, and whether it is assigned to a member by e-mail; no row once it has moved on. */
export const findAssignment = statement({
  name: 'find_assignment',
  params: ['orgId', 'runId', 'stepId', 'activation'],
  row: z.object({
    assignee: z.string(),
    is_member: z.boolean(),
    step_title: z.string(),
    due_at: z.date().nullable(),
    run_name: z.string(),
    workflow_title: z.string(),
    has_slack: z.boolean(),
  }),
  text: `select s.assignee, u.id is not null as is_member, s.title as step_title, s.due_at, r.name as run_name, r.workflow_title,
                exists (select from slack_connections c where c.org_id = $1) as has_slack
         from run_steps s
         join runs r on r.org_id = s.org_id and r.id = s.run_id
         left join (users u join memberships m on m.org_id = $1 and m.user_id = u.id) on u.email = lower(trim(s.assignee))
         where s.org_id = $1 and s.run_id = $2 and s.step_id = $3 and s.activation = $4 and s.state = 'active'
           and r.status in ('running', 'paused')`,
});

/** Something that a member was told, with where a mail of it goes; no row for who is no member any more. */
export const findNotice = statement({
  name: 'find_notice',
  params: ['orgId', 'userId', 'id'],
  row: z.object({
    kind: z.custom<NoticeKind>(),
    title: z.string(),
    body: z.string(),
    run_id: z.uuid().nullable(),
    step_id: z.string().nullable(),
    workflow_key: z.string().nullable(),
    draft_id: z.uuid().nullable(),
    email: z.string(),
    name: z.string(),
  }),
  text: `select n.kind, n.title, n.body, n.run_id, n.step_id, n.workflow_key, n.draft_id, u.email, u.name
         from notifications n
         join memberships m on m.org_id = n.org_id and m.user_id = n.user_id
         join users u on u.id = n.user_id
         where n.org_id = $1 and n.user_id = $2 and n.id = $3`,
});

/** What a mail about a crossed clock says, to a member; `is_over` where nobody waits for the step any more. */
export const findCrossing = statement({
  name: 'find_crossing',
  params: ['orgId', 'runId', 'stepId', 'userId'],
  row: z.object({
    email: z.string(),
    name: z.string(),
    step_title: z.string().nullable(),
    due_at: z.date().nullable(),
    run_name: z.string(),
    workflow_title: z.string(),
    is_over: z.boolean(),
  }),
  text: `select u.email, u.name, s.title as step_title, coalesce(s.due_at, case when $3::text is null then r.breach_at end) as due_at,
                r.name as run_name, r.workflow_title,
                r.status not in ('running', 'failed') or coalesce(s.state <> 'active', false) as is_over
         from runs r
         join memberships m on m.org_id = r.org_id and m.user_id = $4
         join users u on u.id = m.user_id
         left join run_steps s on s.org_id = r.org_id and s.run_id = r.id and s.step_id = $3
         where r.org_id = $1 and r.id = $2`,
});

const notification = z.object({
  id: z.uuid(),
  kind: z.string(),
  run_id: z.uuid().nullable(),
  step_id: z.string().nullable(),
  workflow_key: z.string().nullable(),
  draft_id: z.uuid().nullable(),
  title: z.string(),
  body: z.string(),
  created_at: z.date(),
  read_at: z.date().nullable(),
});
export type NotificationRow = z.output<typeof notification>;

/** A page of what a person was told, newest first, from after the cursor. */
export const listNotifications = statement({
  name: 'list_notifications',
  params: ['orgId', 'userId', 'limit', 'beforeAt', 'beforeId'],
  row: notification,
  text: `select id, kind, run_id, step_id, workflow_key, draft_id, title, body, created_at, read_at from notifications
         where org_id = $1 and user_id = $2 and is_shown
           and ($4::timestamptz is null or (created_at, id) < ($4::timestamptz, $5::uuid))
         order by created_at desc, id desc
         limit $3`,
});

export const listUnreadNotifications = statement({
  name: 'list_unread_notifications',
  params: ['orgId', 'userId', 'limit', 'beforeAt', 'beforeId'],
  row: notification,
  text: `select id, kind, run_id, step_id, workflow_key, draft_id, title, body, created_at, read_at from notifications
         where org_id = $1 and user_id = $2 and read_at is null and is_shown
           and ($4::timestamptz is null or (created_at, id) < ($4::timestamptz, $5::uuid))
         order by created_at desc, id desc
         limit $3`,
});

/** How many are unread, counted up to the limit: a badge says no more than that. */
export const countUnreadNotifications = statement({
  name: 'count_unread_notifications',
  params: ['orgId', 'userId', 'limit'],
  row: z.object({ unread: z.number() }),
  text: `select count(*) as unread from (
           select from notifications where org_id = $1 and user_id = $2 and read_at is null and is_shown limit $3
         ) counted`,
});

/** Marks one as read; no row where it is not this person's. */
export const markNotificationRead = statement({
  name: 'mark_notification_read',
  params: ['orgId', 'userId', 'id'],
  row: notification,
  text: `update notifications set read_at = coalesce(read_at, clock_timestamp())
         where org_id = $1 and user_id = $2 and id = $3
         returning id, kind, run_id, step_id, workflow_key, draft_id, title, body, created_at, read_at`,
});

/** Marks all as read that the person had been told up to a moment; what came meanwhile stays unread. */
export const markNotificationsRead = statement({
  name: 'mark_notifications_read',
  params: ['orgId', 'userId', 'upTo'],
  text: `update notifications set read_at = clock_timestamp()
         where org_id = $1 and user_id = $2 and read_at is null and is_shown and created_at <= coalesce($3::timestamptz, clock_timestamp())`,
});
