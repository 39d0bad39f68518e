import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { NotificationKind } from './wording.ts';

/** Finds the step of an assignment. No row if the step is no longer waiting, or if the run has failed or ended. */
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

/**
 * Finds a member's notification and email address. No row if the person is no longer a member, or has a disabled
 * account.
 */
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
         where n.org_id = $1 and n.user_id = $2 and n.id = $3 and u.disabled_at is null`,
});

/**
 * The data for an email about a crossing. `is_over` is true if the run is paused, completed or cancelled, or if the
 * step is no longer waiting.
 */
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
  thread: z.string(),
  created_at: z.date(),
  read_at: z.date().nullable(),
  closed_at: z.date().nullable(),
  count: z.number(),
});
export type NotificationRow = z.output<typeof notification>;

const COLUMNS = 'id, kind, run_id, step_id, workflow_key, draft_id, title, body, thread, created_at';

/**
 * The condition for the rows `r` of person $2's current role that this person sees: the row was created after the
 * person became a member, it doesn't exclude the person, its kind isn't turned off, and the person has no personal row
 * for the same source. `offset 0` forces a check row by row, so that a page reads no more of the index than it shows.
 */
const isSeen = (r = 'r'): string => `
  ${r}.org_id = $1 and ${r}.role = (select role from memberships where org_id = $1 and user_id = $2)
  and ${r}.created_at >= (select date_trunc('milliseconds', created_at) from memberships where org_id = $1 and user_id = $2)
  and not ($2 = any(${r}.except_ids))
  and coalesce(${r}.news, '') <> all (array(select news from notification_preferences
                                            where org_id = $1 and user_id = $2 and channel = 'in-app' and pace = 'off'))
  and not exists (select from notifications n where n.org_id = $1 and n.user_id = $2 and n.source = ${r}.source and n.is_shown offset 0)`;

const isUnreadForRole = (r = 'r'): string => `
  ${r}.created_at > coalesce((select read_up_to from role_notification_marks where org_id = $1 and user_id = $2), '-infinity')
  and not exists (select from role_notification_reads s
                  where s.org_id = $1 and s.user_id = $2 and s.notification_id = ${r}.id offset 0)`;

/**
 * The time at which person $2 read a role's row, either individually or by marking everything up to a later time as
 * read.
 */
const readForRole = `coalesce(
  (select s.read_at from role_notification_reads s where s.org_id = $1 and s.user_id = $2 and s.notification_id = r.id),
  (select m.read_up_to from role_notification_marks m where m.org_id = $1 and m.user_id = $2 and m.read_up_to >= r.created_at))`;

/**
 * A table of notifications: when its rows `r` were read and closed, which of them the person sees, and which are
 * unread.
 */
type Source = {
  table: string;
  readAt: string;
  closedAt: string;
  isShown: (n: string) => string;
  isUnread: (n: string) => string;
};

const OWN: Source = {
  table: 'notifications',
  readAt: 'r.read_at',
  closedAt: 'r.closed_at',
  isShown: (n) => `${n}.org_id = $1 and ${n}.user_id = $2 and ${n}.is_shown`,
  isUnread: (n) => `${n}.read_at is null`,
};
const OF_ROLE: Source = {
  table: 'role_notifications',
  readAt: readForRole,
  closedAt: 'null::timestamptz',
  isShown: isSeen,
  isUnread: isUnreadForRole,
};
const SOURCES = [OWN, OF_ROLE];

/**
 * Lists notifications after the cursor, newest first. Reads no more of each table's index than the page needs. A
 * grouped list contains only the newest row of each thread, which can have rows in both tables. It is unread if any row
 * of the thread is.
 */
function pageOf({ unread, grouped }: { unread: boolean; grouped: boolean }): string {
  const isWanted = ({ isShown, isUnread }: Source, n: string): string => `
       ${isShown(n)} ${unread ? `and ${isUnread(n)}` : ''}
       and ($6::text is null or coalesce(${n}.news, 'other') = $6) and ($7::text is null or ${n}.workflow_key = $7)`;
  const ofThread = (source: Source): string =>
    `from ${source.table} t where t.thread = r.thread and ${isWanted(source, 't')}`;
  const noneOfThread = (condition: (source: Source) => string): string =>
    SOURCES.map((each) => `not exists (select ${ofThread(each)} and ${condition(each)} offset 0)`).join(' and ');
  const partOf = (source: Source): string => {
    const { table, readAt, closedAt } = source;
    return `
    (select ${COLUMNS}, ${closedAt} as closed_at,
            ${grouped ? `case when ${noneOfThread(({ isUnread }) => isUnread('t'))} then ${readAt} end` : readAt} as read_at,
            ${grouped ? SOURCES.map((each) => `(select count(*) ${ofThread(each)})`).join(' + ') : '1'} as count
     from ${table} r
     where ${isWanted(source, 'r')}
       and ($4::timestamptz is null or (created_at, id) < ($4::timestamptz, $5::uuid))
       ${grouped ? `and ${noneOfThread(() => '(t.created_at, t.id) > (r.created_at, r.id)')}` : ''}
     order by created_at desc, id desc limit $3)`;
  };
  return `
  select ${COLUMNS}, read_at, closed_at, count from (${SOURCES.map(partOf).join(' union all ')}) page
  order by created_at desc, id desc limit $3`;
}

const listOf = (name: string, which: Parameters<typeof pageOf>[0]) =>
  statement({
    name,
    params: ['orgId', 'userId', 'limit', 'beforeAt', 'beforeId', 'kind', 'workflow'],
    row: notification,
    text: pageOf(which),
  });

/** A page of a person's notifications, newest first, after the cursor. Filters that are null are ignored. */
export const listNotifications = listOf('list_notifications', { unread: false, grouped: false });
export const listUnreadNotifications = listOf('list_unread_notifications', { unread: true, grouped: false });
export const listThreads = listOf('list_notification_threads', { unread: false, grouped: true });
export const listUnreadThreads = listOf('list_unread_notification_threads', { unread: true, grouped: true });

/** Maximum number of unread rows in each table that are read for the badge. */
const MAX_ROWS_COUNTED = 1000;

/** Counts the unread threads, up to the limit that the badge can show. */
export const countUnreadThreads = statement({
  name: 'count_unread_notifications',
  params: ['orgId', 'userId', 'limit'],
  row: z.object({ unread: z.number() }),
  text: `select count(*) as unread from (
           select thread from (
             (select thread from notifications where org_id = $1 and user_id = $2 and read_at is null and is_shown
              order by created_at desc, id desc limit ${MAX_ROWS_COUNTED})
             union all
             (select thread from role_notifications r where ${isSeen()} and ${isUnreadForRole()}
              order by created_at desc, id desc limit ${MAX_ROWS_COUNTED})
           ) found group by thread limit $3
         ) counted`,
});

/**
 * Marks a notification as read and, if `group` is true, the earlier ones in its thread. Returns no row if the
 * notification isn't this person's.
 */
export const markNotificationRead = statement({
  name: 'mark_notification_read',
  params: ['orgId', 'userId', 'id', 'group'],
  row: notification.omit({ count: true }),
  text: `with target as (
           select thread, created_at from notifications where org_id = $1 and user_id = $2 and id = $3
           union all
           select thread, created_at from role_notifications r where ${isSeen()} and r.id = $3
         ), own as (
           update notifications n set read_at = coalesce(n.read_at, clock_timestamp())
           from target
           where n.org_id = $1 and n.user_id = $2
             and (n.id = $3 or ($4::boolean and n.thread = target.thread and n.is_shown and n.created_at <= target.created_at))
           returning ${COLUMNS.replaceAll(/\w+/g, 'n.$&')}, n.read_at, n.closed_at
         ), of_role as (
           select ${COLUMNS}, ${readForRole} as read_at from role_notifications r
           where ${isSeen()} and (r.id = $3 or ($4::boolean and exists (
             select from target where target.thread = r.thread and target.created_at >= r.created_at)))
         ), seen as (
           insert into role_notification_reads (org_id, user_id, notification_id) select $1, $2, id from of_role
           on conflict do nothing returning notification_id, read_at
         )
         select ${COLUMNS}, read_at, closed_at from own where id = $3
         union all
         select ${COLUMNS}, coalesce(read_at, (select read_at from seen where notification_id = $3)) as read_at, null as closed_at
         from of_role where id = $3`,
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

// Also removes the notification from the next digest.
const CLOSED = `closed_at = clock_timestamp(), read_at = coalesce(n.read_at, clock_timestamp()),
  email = case when n.email = 'daily' and n.digest_id is null then 'none' else n.email end,
  slack = case when n.slack = 'daily' and n.digest_id is null then 'none' else n.slack end`;

/** Closes the requests to review a draft: the requests to one person or, if `userId` is null, all of them. */
export const closeReviewRequests = statement({
  name: 'close_review_requests',
  params: ['orgId', 'draftId', 'userId'],
  text: `update notifications n set ${CLOSED}
         where org_id = $1 and draft_id = $2 and kind = 'review_requested' and closed_at is null
           and ($3::uuid is null or user_id = $3)`,
});

export const closeReviewRequestsOfWorkflow = statement({
  name: 'close_review_requests_of_workflow',
  params: ['orgId', 'workflowId'],
  text: `update notifications n set ${CLOSED}
         from workflow_versions v
         where v.org_id = $1 and v.workflow_id = $2 and v.status in ('draft', 'in_review')
           and n.org_id = $1 and n.draft_id = v.id and n.kind = 'review_requested' and n.closed_at is null`,
});

const mailRow = z.object({
  id: z.uuid(),
  kind: z.custom<NotificationKind>(),
  title: z.string(),
  body: z.string(),
  run_id: z.uuid().nullable(),
  step_id: z.string().nullable(),
  workflow_key: z.string().nullable(),
  draft_id: z.uuid().nullable(),
  /** The step's activation, for an assignment. */
  activation: z.number().nullable(),
  created_at: z.date(),
  closed_at: z.date().nullable(),
  email: z.string(),
  name: z.string(),
  is_disabled: z.boolean(),
  organization: z.string(),
});
export type MailRow = z.output<typeof mailRow>;

const isToMail = `n.org_id = $1 and n.user_id = $2 and n.email = 'now' and n.kind <> all ($3::text[])
  and (n.mailing_since is null or n.mailing_since < clock_timestamp() - make_interval(secs => $4::float8))`;

/**
 * Finds how much longer the oldest unmailed notification waits for others, in milliseconds. No row if there is nothing
 * to mail.
 */
export const findMailWait = statement({
  name: 'find_mail_wait',
  params: ['orgId', 'userId', 'urgentKinds', 'silentSeconds', 'windowMs'],
  row: z.object({ wait_ms: z.number() }),
  text: `select greatest(ceil($5::float8 - extract(epoch from clock_timestamp() - n.created_at) * 1000), 0)::int as wait_ms
         from notifications n where ${isToMail} order by n.created_at limit 1`,
});

/** Claims a member's unmailed notifications, so that no other process mails them. */
export const claimMails = statement({
  name: 'claim_mails',
  params: ['orgId', 'userId', 'urgentKinds', 'silentSeconds'],
  row: mailRow,
  text: `update notifications n set mailing_since = clock_timestamp()
         from memberships m join users u on u.id = m.user_id join organizations o on o.id = m.org_id
         where ${isToMail} and m.org_id = n.org_id and m.user_id = n.user_id
         returning n.id, n.kind, n.title, n.body, n.run_id, n.step_id, n.workflow_key, n.draft_id, n.created_at, n.closed_at,
                   case when n.kind = 'step_assigned' then split_part(n.source, ':', 3)::int end as activation,
                   u.email, u.name, u.disabled_at is not null as is_disabled, o.name as organization`,
});

/** Saves whether claimed notifications were mailed. The next attempt mails those that weren't. */
export const finishMails = statement({
  name: 'finish_mails',
  params: ['orgId', 'userId', 'ids', 'areDone'],
  text: `update notifications set mailing_since = null, email = case when $4::boolean then 'done' else email end
         where org_id = $1 and user_id = $2 and id = any ($3::uuid[]) and email = 'now'`,
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
         where t.org_id = $1 and t.id = $2 and t.revoked_at is null and u.disabled_at is null`,
});
