import { type DelegationKind, PERMISSIONS, spellingsOf } from '@stet/domain/access';
import { DEFAULT_PREFERENCES } from '@stet/domain/notifications';
import { HELPERS } from '@stet/domain/runs';
import type { Tx } from '../../kernel/database.ts';
import { statement } from '../../db/statement.ts';
import { MAX_ROWS } from '../../kernel/small-organization.ts';
import { keyOf } from './deliver-slack.job.ts';
import { KINDS, type NotificationKind, URGENT_KINDS } from './wording.ts';

/** One activation of a step. */
export type Activation = { runId: string; stepId: string; activation: number };

/** The members to notify. People who aren't members are skipped. */
export type Recipients = {
  userIds?: readonly string[];
  emails?: readonly string[];
  roles?: readonly string[];
  /** The slugs of groups. */
  groups?: readonly string[];
  exceptIds?: readonly string[];
  /** True to include everyone who has the step of the notification as a task. */
  haveTask?: boolean;
  /** True to exclude people whom the step names but who can't act on it (`isBarred`). */
  canAct?: boolean;
};

/**
 * A notification. Each person gets only one per `source`, which identifies the cause, over the channels that they
 * chose.
 */
export type Notification = {
  source: string;
  kind: NotificationKind;
  title: string;
  body: string;
  runId?: string | null;
  stepId?: string | null;
  /** The draft that the notification is about. */
  draft?: { key: string; id: string };
  /** The key of the workflow that the notification is about, unless it is about a draft. */
  workflowKey?: string;
  to: Recipients;
  /**
   * True to send mail and Slack messages only to named people (`userIds`, `emails`). Others see the notification only
   * in the application.
   */
  namedOnly?: boolean;
  /** The activation for which Slack gets a separate message with buttons. */
  stepInSlack?: Activation;
  /** Additional data for the email. */
  about?: { crossing?: 'sla_at_risk' | 'sla_breached' | 'sla_reminded' };
  /** True to batch notifications of this kind that are created for the same role around the same time. */
  batchForRoles?: boolean;
  /**
   * Also notifies the delegates to whom a recipient lends this kind of work at the moment. A delegate's notification
   * has the kind `delegated_step` and names the delegators between the two texts of `words`.
   */
  lent?: { kind: DelegationKind; words: readonly [string, string] };
};

/** Minutes in which notifications of one kind to a role form one batch. */
const BATCH_MINUTES = 10;
const DEFAULTS = JSON.stringify(DEFAULT_PREFERENCES);
/**
 * Maximum number of people who get a notification by mail or in Slack. Named people come first. The others have it only
 * in their list.
 */
const MAX_MAILED = 200;

const formerAddressesOf = (id: string): string =>
  `array(select f.email from former_addresses f where f.user_id = ${id})`;

// True if a task of the step names the person but they can't do it because of separation of duties, a missing proof, or
// a role that they gave themselves.
const isBarred = `exists (
  select from run_tasks t
  where t.org_id = $1 and t.run_id = n.run_id and t.step_id = n.step_id
    and (t.who in (person.email, 'role:' || person.role, 'user:' || person.id) or t.who = any(${formerAddressesOf('person.id')}) or (t.who like 'group:%' and t.who = any(group_names_of($1, person.id))))
    and (person.id = any(t.except_ids)
         or (t.is_decision and person.proved_by is null and not may_decide_steps($1, person.id))
         or (t.who like 'role:%' and t.otherwise = 'permission:step.stand_in' and took_role_by_own_hand($1, person.id))))`;

const hasTask = `exists (
  select from run_tasks t
  where t.org_id = $1 and t.run_id = n.run_id and t.step_id = n.step_id and not (m.user_id = any(t.except_ids))
    and (u.proved_by is not null or not t.is_decision or may_decide_steps($1, u.id))
    and (t.who in (u.email, 'user:' || u.id) or t.who = any(${formerAddressesOf('u.id')}) or (t.who like 'group:%' and t.who = any(group_names_of($1, u.id)))
         or (t.who = 'role:' || m.role and not (t.otherwise is not distinct from 'permission:step.stand_in' and took_role_by_own_hand($1, u.id)))
         or (t.who = 'permission:step.act_any' and m.role = any($4::text[]))
         or (t.who = '${HELPERS}' and m.role = any($4::text[])
             and (m.role = any($5::text[]) or (select o.editors_may_help from organizations o where o.id = $1)))))`;

// A notification about a run belongs to the run's workflow.
const workflowKeyOf = (n: string): string =>
  `coalesce(${n}.workflow_key, (select r.workflow_key from runs r where r.org_id = $1 and r.id = ${n}.run_id))`;

// The thread of the batch that contains notification `n` for a role.
const batchOf = (role: string): string =>
  `'role:' || ${role} || ':' || n.kind || ':' || floor(extract(epoch from clock_timestamp()) / ${BATCH_MINUTES * 60})`;

// The recipients that are needed only for notifications to groups or to people with a task.
const MEMBERS_OF_GROUPS_AND_TASKS = `
             union all
             select m.user_id, false from jsonb_array_elements_text(n.groups) slug
               join groups g on g.org_id = $1 and g.slug = slug.value
               join group_members m on m.org_id = $1 and m.group_id = g.id
             union all
             select m.user_id, false from memberships m join users u on u.id = m.user_id
               where n.have_task and m.org_id = $1 and ${hasTask}`;

// The recipients in `own`, and their delegates who aren't recipients themselves and can do the work.
const DELEGATES = `lent as (
           select own.source, d.to_user_id as user_id, bool_or(own.is_named) as is_named,
                  string_agg(distinct chr(8296) || giver.name || chr(8297), ' and ') as for_names
           from own join news n on n.source = own.source
           cross join lateral (
             select d.to_user_id from delegations d
             where d.org_id = $1 and d.from_user_id = own.user_id and d.ended_at is null
               and d.starts_at <= clock_timestamp() and d.ends_at > clock_timestamp() and n.lent = any(d.kinds)
               and (d.workflow_keys is null or ${workflowKeyOf('n')} = any(d.workflow_keys)) offset 0
           ) d
           join users giver on giver.id = own.user_id
           join users delegate on delegate.id = d.to_user_id
           where n.lent is not null and not jsonb_exists(n.except_ids, d.to_user_id::text)
             and not exists (select from own o where o.source = own.source and o.user_id = d.to_user_id)
             and (n.lent <> 'votes' or delegate.proved_by is not null or may_decide_steps($1, delegate.id))
             and not exists (
               select from run_tasks t
               where t.org_id = $1 and t.run_id = n.run_id and t.step_id = n.step_id and d.to_user_id = any(t.except_ids))
           group by own.source, d.to_user_id
         ), meant as (
           select source, user_id, role, is_named, null::text as for_names from own
           union all
           select source, user_id, null, is_named, for_names from lent
         )`;

const WHO = `large_roles as (
           select source, role from meant where not is_named group by source, role having count(*) > ${MAX_ROWS}
         ), who as (
           select meant.*, large_roles.role is not null as has_role_row,
                  row_number() over (partition by meant.source order by is_named desc, user_id) <= ${MAX_MAILED} as is_few
           from meant left join large_roles on large_roles.source = meant.source and large_roles.role = meant.role and not is_named
         )`;

const WHO_IN_SMALL = `who as (
           select own.*, null::text as for_names, false as has_role_row, true as is_few from own
         )`;

const SLACK_PACE = `case when n.news is null or (n.named_only and not who.is_named) or not who.is_few or paces.slack = 'off'
                         or not exists (select from slack_connections c where c.org_id = $1) then 'none'
                       when paces.slack = 'daily' then 'daily' when n.step_in_slack is not null then 'none' else 'now' end`;

const NOTIFIED_ROLES = `, notified_roles as (
           insert into role_notifications (org_id, id, role, source, kind, news, run_id, step_id, workflow_key, draft_id, thread, title, body, except_ids)
           select $1, gen_random_uuid(), l.role, n.source, n.kind, n.news, n.run_id, n.step_id, ${workflowKeyOf('n')}, n.draft_id,
                  case when n.in_batch then ${batchOf('l.role')} else n.thread end,
                  left(n.title, 300), left(n.body, 2000),
                  array(select m.user_id from memberships m where m.org_id = $1 and m.role = l.role and not exists (
                    select from who where who.source = l.source and who.user_id = m.user_id and who.has_role_row))
           from large_roles l join news n on n.source = l.source
           on conflict (org_id, role, source) do nothing
         )`;

const SLACK_JOBS = `
         union all
         select 'tell_in_slack',
                jsonb_build_object('orgId', $1::uuid, 'about', jsonb_build_object('kind', 'news', 'userId', d.user_id, 'id', d.id)),
                'slack:news:' || d.id, null
         from notified d where d.slack = 'now'
         union all
         select 'tell_in_slack', jsonb_build_object('orgId', $1::uuid, 'about', n.step_in_slack), 'slack:' || n.slack_key, null
         from news n where n.step_in_slack is not null and exists (select from slack_connections c where c.org_id = $1)`;

/**
 * Inserts notifications and, in the same statement, enqueues their jobs, because only the insertion shows who didn't
 * have a notification of this source yet. Urgent notifications have a mail job each; all others of a person share one.
 * For small organizations (`IS_SMALL`), the statement takes half the time, because it omits the parts that they don't
 * need.
 */
const insertionOf = ({ isSmall }: { isSmall: boolean }): string => `with news as (
           select * from jsonb_to_recordset($2::jsonb)
             as n (source text, kind text, news text, run_id uuid, step_id text, workflow_key text, draft_id uuid, title text, body text,
                   user_ids jsonb, emails jsonb, roles jsonb, groups jsonb, except_ids jsonb, have_task boolean, may_act boolean,
                   named_only boolean, step_in_slack jsonb, slack_key text, about jsonb, thread text, in_batch boolean, is_urgent boolean,
                   lent text, lent_words jsonb)
         ), own as (
           select n.source, person.id as user_id, person.role, bool_or(given.is_named) as is_named
           from news n
           cross join lateral (
             select id::uuid as user_id, true as is_named from jsonb_array_elements_text(n.user_ids) id
             union all
             select found.id, true from jsonb_array_elements_text(n.emails) email
               cross join lateral (select u.id from users u where u.email = current_address(lower(trim(email.value))) offset 0) found
             union all
             select m.user_id, false from jsonb_array_elements_text(n.roles) role
               join memberships m on m.org_id = $1 and m.role = role.value${isSmall ? '' : MEMBERS_OF_GROUPS_AND_TASKS}
           ) given
           -- \`offset 0\` makes the planner use the keys. Otherwise it mistakes a few names for thousands and reads
           -- all users.
           cross join lateral (
             select u.id, u.email, u.proved_by, m.role from memberships m join users u on u.id = m.user_id
             where m.org_id = $1 and m.user_id = given.user_id offset 0
           ) person
           where not jsonb_exists(n.except_ids, person.id::text) and not (n.may_act and ${isBarred})
           group by n.source, person.id, person.role
         ), ${isSmall ? WHO_IN_SMALL : `${DELEGATES}, ${WHO}`}, decided as (
           select who.user_id, who.has_role_row, who.for_names, n.*, n.news is null or paces.in_app <> 'off' as is_wanted,
                  case when n.in_batch and not who.is_named and who.role is not null then ${batchOf('who.role')} else n.thread end as own_thread,
                  case when n.news is null or (n.named_only and not who.is_named) or not who.is_few
                         or paces.email = 'off' then 'none'
                       when paces.email = 'daily' then 'daily' else 'now' end as email,
                  ${isSmall ? `'none'` : SLACK_PACE} as slack
           from who join news n on n.source = who.source
           cross join lateral (
             select coalesce(max(p.pace) filter (where p.channel = 'in-app'), $3::jsonb #>> array[n.news, 'in-app']) as in_app,
                    coalesce(max(p.pace) filter (where p.channel = 'email'), $3::jsonb #>> array[n.news, 'email']) as email,
                    coalesce(max(p.pace) filter (where p.channel = 'slack'), $3::jsonb #>> array[n.news, 'slack']) as slack
             from notification_preferences p where p.org_id = $1 and p.user_id = who.user_id and p.news = n.news
           ) paces
         ), notified as (
           -- A person who sees the notification in the role's row gets their own row only for mail and Slack.
           insert into notifications (org_id, user_id, id, source, kind, news, run_id, step_id, workflow_key, draft_id, title, body,
                                      is_shown, email, slack, thread)
           select $1, user_id, gen_random_uuid(), source, case when for_names is null then kind else 'delegated_step' end, news, run_id,
                  step_id, ${workflowKeyOf('decided')}, draft_id, left(title, 300),
                  left(case when for_names is null then body else (lent_words ->> 0) || for_names || (lent_words ->> 1) end, 2000), is_wanted and not has_role_row, email, slack, own_thread
           from decided where not has_role_row or email <> 'none' or slack <> 'none'
           order by user_id
           on conflict (org_id, user_id, source) do nothing
           returning user_id, id, source, email, slack
         )${isSmall ? '' : NOTIFIED_ROLES}
         insert into outbox (task, payload, job_key, turn_of)
         select 'mail_notice', jsonb_build_object('orgId', $1::uuid, 'userId', d.user_id, 'id', d.id, 'about', n.about), null, $1::uuid::text
         from notified d join news n on n.source = d.source where d.email = 'now' and n.is_urgent
         union all
         select distinct 'mail_notice', jsonb_build_object('orgId', $1::uuid, 'userId', d.user_id), 'mails:' || $1::uuid || ':' || d.user_id, $1::uuid::text
         from notified d join news n on n.source = d.source where d.email = 'now' and not n.is_urgent${isSmall ? '' : SLACK_JOBS}`;

const insertNotifications = statement({
  name: 'insert_notifications',
  params: ['orgId', 'notifications', 'defaults', 'actAnyRoles', 'standInRoles'],
  list: 'notifications',
  text: insertionOf({ isSmall: false }),
});
const insertFewNotifications = statement({
  name: 'insert_few_notifications',
  params: ['orgId', 'notifications', 'defaults'],
  list: 'notifications',
  text: insertionOf({ isSmall: true }),
});

/**
 * Inserts notifications that the members of roles see only in the application. In small organizations, most
 * notifications of a completed step are of this kind, and need neither a mail nor a comparison of people.
 */
const insertNotificationsToRoles = statement({
  name: 'insert_notifications_to_roles',
  params: ['orgId', 'notifications', 'defaults'],
  list: 'notifications',
  text: `insert into notifications (org_id, user_id, id, source, kind, news, run_id, step_id, workflow_key, draft_id, title, body, is_shown, thread)
         select $1, m.user_id, gen_random_uuid(), n.source, n.kind, n.news, n.run_id, n.step_id, ${workflowKeyOf('n')}, n.draft_id,
                left(n.title, 300), left(n.body, 2000),
                n.news is null or coalesce((
                  select p.pace from notification_preferences p
                  where p.org_id = $1 and p.user_id = m.user_id and p.news = n.news and p.channel = 'in-app'
                ), $3::jsonb #>> array[n.news, 'in-app']) <> 'off',
                case when n.in_batch then ${batchOf('m.role')} else n.thread end
         from jsonb_to_recordset($2::jsonb)
           as n (source text, kind text, news text, run_id uuid, step_id text, workflow_key text, draft_id uuid, title text, body text,
                 roles jsonb, except_ids jsonb, thread text, in_batch boolean)
         join memberships m on m.org_id = $1 and jsonb_exists(n.roles, m.role) and not jsonb_exists(n.except_ids, m.user_id::text)
         order by m.user_id
         on conflict (org_id, user_id, source) do nothing`,
});

/**
 * Notifies people in this transaction. If it isn't committed, nobody is notified. `isSmall` is true if the organization
 * was small (`IS_SMALL`) when this transaction read it.
 */
export function enqueueNotifications(
  tx: Tx,
  orgId: string,
  notifications: readonly Notification[],
  { isSmall = false }: { isSmall?: boolean } = {},
): void {
  const meant = notifications.filter(({ to }) => hasRecipients(to));
  if (meant.length === 0) return;
  const rows = meant.map(({ to, ...notification }) => ({
    source: notification.source,
    kind: notification.kind,
    news: KINDS[notification.kind].news,
    run_id: notification.runId ?? null,
    step_id: notification.stepId ?? null,
    workflow_key: notification.draft?.key ?? notification.workflowKey ?? null,
    draft_id: notification.draft?.id ?? null,
    title: notification.title,
    body: notification.body,
    user_ids: to.userIds ?? [],
    emails: (to.emails ?? []).flatMap(spellingsOf),
    roles: to.roles ?? [],
    groups: to.groups ?? [],
    except_ids: to.exceptIds ?? [],
    have_task: to.haveTask ?? false,
    may_act: to.canAct ?? false,
    named_only: notification.namedOnly ?? false,
    ...stepInSlack(notification),
    about: notification.about ?? {},
    thread: threadOf(notification),
    in_batch: notification.batchForRoles ?? false,
    is_urgent: URGENT_KINDS.includes(notification.kind),
    lent: notification.lent?.kind ?? null,
    lent_words: notification.lent?.words ?? null,
  }));
  // Only the database can determine the recipients, so each browser reloads its number of unread notifications.
  tx.announce(meant.map(({ source }) => ({ subject: 'notification', id: source })));
  const values = { orgId, notifications: rows, defaults: DEFAULTS };
  if (isSmall && meant.every(isOnlyToRoles)) {
    tx.write(insertNotificationsToRoles, values);
    return;
  }
  if (isSmall && meant.every(({ to }) => !to.haveTask && !to.groups?.length)) {
    tx.write(insertFewNotifications, values);
    return;
  }
  tx.write(insertNotifications, {
    ...values,
    actAnyRoles: PERMISSIONS['step.act_any'],
    standInRoles: PERMISSIONS['step.stand_in'],
  });
}

/** The thread that the notification belongs to. Lists can show one line per thread. */
const threadOf = ({ draft, runId, source }: Omit<Notification, 'to'>): string =>
  draft ? `draft:${draft.id}` : runId ? `run:${runId}` : source;

function stepInSlack({ stepInSlack: step }: Pick<Notification, 'stepInSlack'>) {
  if (!step) return { step_in_slack: null, slack_key: null };
  const about = { kind: 'step' as const, ...step };
  return { step_in_slack: about, slack_key: keyOf(about) };
}

/** False if there are no recipients, or only people given by id, all of whom are excluded. */
function hasRecipients({
  userIds = [],
  emails = [],
  roles = [],
  groups = [],
  exceptIds = [],
  haveTask,
}: Recipients): boolean {
  const isToMany = emails.length > 0 || roles.length > 0 || groups.length > 0;
  return haveTask === true || isToMany || userIds.some((id) => !exceptIds.includes(id));
}

/** True if the notification is only for the members of roles, whatever they can do, and only in the application. */
function isOnlyToRoles({ to, namedOnly }: Notification): boolean {
  const { userIds = [], emails = [], groups = [], haveTask, canAct } = to;
  return namedOnly === true && !haveTask && !canAct && [userIds, emails, groups].every(({ length }) => length === 0);
}
