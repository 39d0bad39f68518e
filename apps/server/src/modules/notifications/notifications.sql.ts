import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { NotificationKind } from './wording.ts';

/** The step of an assignment. No row if it is no longer waiting. */
export const findWaitingStep = statement({
  name: 'find_waiting_step',
  params: ['orgId', 'runId', 'stepId', 'activation'],
  row: z.object({
    assignee: z.string(),
    step_title: z.string(),
    due_at: z.date().nullable(),
    run_name: z.string(),
    workflow_title: z.string(),
  }),
  text: `select s.assignee, s.title as step_title, s.due_at, r.name as run_name, r.workflow_title
         from run_steps s
         join runs r on r.org_id = s.org_id and r.id = s.run_id
         where s.org_id = $1 and s.run_id = $2 and s.step_id = $3 and s.activation = $4 and s.state = 'active'
           and r.status in ('running', 'paused')`,
});

/** The notification of a member, with the address for the mail. No row if the person is no longer a member. */
export const findNotification = statement({
  name: 'find_notification',
  params: ['orgId', 'userId', 'id'],
  row: z.object({
    kind: z.custom<NotificationKind>(),
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

/** The data for a mail about a crossing. `is_over` is true if the step is no longer waiting. */
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

const COLUMNS = 'id, kind, run_id, step_id, workflow_key, draft_id, title, body, created_at';

/**
 * The rows for the current role of person $2 that this person sees. They were created since the person became a member,
 * and the person isn't excepted, hasn't turned them off, and has no row of their own about the same thing. `offset 0`
 * forces a check row by row, so that a page reads no more of the index than it shows.
 */
const isSeen = `
  r.org_id = $1 and r.role = (select role from memberships where org_id = $1 and user_id = $2)
  and r.created_at >= (select date_trunc('milliseconds', created_at) from memberships where org_id = $1 and user_id = $2)
  and not ($2 = any(r.except_ids))
  and coalesce(r.news, '') <> all (array(select news from notification_preferences
                                         where org_id = $1 and user_id = $2 and channel = 'in-app' and pace = 'off'))
  and not exists (select from notifications n where n.org_id = $1 and n.user_id = $2 and n.source = r.source and n.is_shown offset 0)`;

const isUnreadForRole = `
  r.created_at > coalesce((select read_up_to from role_notification_marks where org_id = $1 and user_id = $2), '-infinity')
  and not exists (select from role_notification_reads s
                  where s.org_id = $1 and s.user_id = $2 and s.notification_id = r.id offset 0)`;

/** When person $2 read the row of a role: either this row itself, or everything up to a later time. */
const readForRole = `coalesce(
  (select s.read_at from role_notification_reads s where s.org_id = $1 and s.user_id = $2 and s.notification_id = r.id),
  (select m.read_up_to from role_notification_marks m where m.org_id = $1 and m.user_id = $2 and m.read_up_to >= r.created_at))`;

/** Newest first, after the cursor. Each part is read from its own index, and no more of it than the page needs. */
const pageOf = (ofPerson: string, ofRole: string): string => `
  select ${COLUMNS}, read_at from (
    (select ${COLUMNS}, read_at from notifications
     where org_id = $1 and user_id = $2 and is_shown ${ofPerson}
       and ($4::timestamptz is null or (created_at, id) < ($4::timestamptz, $5::uuid))
     order by created_at desc, id desc limit $3)
    union all
    (select ${COLUMNS}, ${readForRole} as read_at
     from role_notifications r
     where ${isSeen} ${ofRole}
       and ($4::timestamptz is null or (created_at, id) < ($4::timestamptz, $5::uuid))
     order by created_at desc, id desc limit $3)
  ) page order by created_at desc, id desc limit $3`;

/** A page of a person's notifications, newest first, after the cursor. */
export const listNotifications = statement({
  name: 'list_notifications',
  params: ['orgId', 'userId', 'limit', 'beforeAt', 'beforeId'],
  row: notification,
  text: pageOf('', ''),
});

export const listUnreadNotifications = statement({
  name: 'list_unread_notifications',
  params: ['orgId', 'userId', 'limit', 'beforeAt', 'beforeId'],
  row: notification,
  text: pageOf('and read_at is null', `and ${isUnreadForRole}`),
});

/** The number of unread notifications, counted up to the limit that the badge can show. */
export const countUnreadNotifications = statement({
  name: 'count_unread_notifications',
  params: ['orgId', 'userId', 'limit'],
  row: z.object({ unread: z.number() }),
  text: `select count(*) as unread from (
           (select from notifications where org_id = $1 and user_id = $2 and read_at is null and is_shown limit $3)
           union all
           (select from role_notifications r where ${isSeen} and ${isUnreadForRole} limit $3)
           limit $3
         ) counted`,
});

/** Marks a notification as read. Returns no row if it isn't this person's. */
export const markNotificationRead = statement({
  name: 'mark_notification_read',
  params: ['orgId', 'userId', 'id'],
  row: notification,
  text: `with own as (
           update notifications set read_at = coalesce(read_at, clock_timestamp())
           where org_id = $1 and user_id = $2 and id = $3
           returning ${COLUMNS}, read_at
         ), of_role as (
           select ${COLUMNS}, ${readForRole} as read_at from role_notifications r where ${isSeen} and r.id = $3
         ), seen as (
           insert into role_notification_reads (org_id, user_id, notification_id) select $1, $2, id from of_role
           on conflict do nothing returning read_at
         )
         select ${COLUMNS}, read_at from own
         union all
         select ${COLUMNS}, coalesce(read_at, (select read_at from seen)) as read_at
         from of_role`,
});

/** Marks all notifications up to a certain time as read. Later ones stay unread. */
export const markNotificationsRead = statement({
  name: 'mark_notifications_read',
  params: ['orgId', 'userId', 'upTo'],
  text: `with own as (
           update notifications set read_at = clock_timestamp()
           where org_id = $1 and user_id = $2 and read_at is null and is_shown and created_at <= coalesce($3::timestamptz, clock_timestamp())
         )
         insert into role_notification_marks as m (org_id, user_id, read_up_to)
         select $1, $2, least(coalesce($3::timestamptz, clock_timestamp()), clock_timestamp())
         on conflict (org_id, user_id) do update set read_up_to = greatest(m.read_up_to, excluded.read_up_to)`,
});

export const findEndlessToken = statement({
  name: 'find_endless_token',
  params: ['orgId', 'id'],
  row: z.object({
    name: z.string(),
    email: z.string(),
    token: z.string(),
    ending: z.string(),
    organization: z.string(),
  }),
  text: `select u.name, u.email, t.name as token, t.ending, o.name as organization
         from api_tokens t join users u on u.id = t.user_id join organizations o on o.id = t.org_id
         join memberships m on m.org_id = t.org_id and m.user_id = t.user_id
         where t.org_id = $1 and t.id = $2 and t.revoked_at is null`,
});
