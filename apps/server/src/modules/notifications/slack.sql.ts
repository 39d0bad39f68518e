import type { RunActor, StepState } from '@stet/domain/runs';
import { z } from 'zod';
import { memberColumns, memberRow } from '../../http/authenticate.ts';
import { statement } from '../../db/statement.ts';
import type { NotificationKind } from './wording.ts';

/** Finds the step of a message. No row if the step is no longer active, or if the run has failed or ended. */
export const findActiveStep = statement({
  name: 'find_active_step_for_slack',
  params: ['orgId', 'runId', 'stepId', 'activation'],
  row: z.object({
    assignee: z.string(),
    title: z.string(),
    type: z.string(),
    due_at: z.date().nullable(),
    run_name: z.string(),
    workflow_title: z.string(),
    has_form: z.boolean(),
  }),
  text: `select s.assignee, s.title, s.type, s.due_at, r.name as run_name, r.workflow_title,
                exists (select from json_array_elements(v.steps) d
                        where d ->> 'id' = s.step_id and json_typeof(d -> 'config' -> 'fields') = 'array'
                          and json_array_length(d -> 'config' -> 'fields') > 0) as has_form
         from run_steps s
         join runs r on r.org_id = s.org_id and r.id = s.run_id
         join workflow_versions v on v.org_id = r.org_id and v.id = r.version_id
         where s.org_id = $1 and s.run_id = $2 and s.step_id = $3 and s.activation = $4 and s.state = 'active'
           and r.status in ('running', 'paused')`,
});

/**
 * Finds how soon the member with this address wants this kind of notification in Slack: `off` if their account is
 * disabled. No row if they haven't chosen.
 */
export const findSlackPace = statement({
  name: 'find_slack_pace',
  params: ['orgId', 'email', 'news'],
  row: z.object({ pace: z.string() }),
  text: `select case when u.disabled_at is null then p.pace else 'off' end as pace
         from users u left join notification_preferences p
           on p.org_id = $1 and p.user_id = u.id and p.news = $3 and p.channel = 'slack'
         where u.email = current_address(lower($2)) and (p.pace is not null or u.disabled_at is not null)`,
});

const person = {
  email: z.string(),
  kind: z.custom<NotificationKind>(),
  title: z.string(),
  run_id: z.uuid().nullable(),
  workflow_key: z.string().nullable(),
  draft_id: z.uuid().nullable(),
};

/**
 * A member's notification. No row if it was closed, or if the person is no longer a member or has a disabled account.
 */
export const findNotificationForSlack = statement({
  name: 'find_notification_for_slack',
  params: ['orgId', 'userId', 'id'],
  row: z.object({ ...person, body: z.string() }),
  text: `select u.email, n.kind, n.title, n.run_id, n.workflow_key, n.draft_id, n.body
         from notifications n
         join memberships m on m.org_id = n.org_id and m.user_id = n.user_id
         join users u on u.id = n.user_id
         where n.org_id = $1 and n.user_id = $2 and n.id = $3 and n.closed_at is null and u.disabled_at is null`,
});

/** The items for Slack in the digest of a member, oldest first. None if their account is disabled. */
export const listDigestForSlack = statement({
  name: 'list_digest_for_slack',
  params: ['orgId', 'userId', 'id'],
  row: z.object(person),
  text: `select u.email, n.kind, n.title, n.run_id, n.workflow_key, n.draft_id
         from notifications n
         join memberships m on m.org_id = n.org_id and m.user_id = n.user_id
         join users u on u.id = n.user_id
         where n.org_id = $1 and n.user_id = $2 and n.digest_id = $3 and n.slack = 'daily' and u.disabled_at is null
         order by n.created_at, n.id`,
});

/** The newest 20 active steps with this assignee and title, in runs of workflows with this title. */
export const listStepsLike = statement({
  name: 'list_steps_like',
  params: ['orgId', 'assignee', 'title', 'workflow'],
  row: z.object({ run_id: z.uuid(), step_id: z.string(), activation: z.number() }),
  text: `select s.run_id, s.step_id, s.activation from run_steps s
         join runs r on r.org_id = s.org_id and r.id = s.run_id
         where s.org_id = $1 and lower(s.assignee) = lower($2) and s.state = 'active' and s.title = $3 and r.workflow_title = $4
           and r.status in ('running', 'paused')
         order by s.activated_at desc limit 20`,
});

/** True if the same message was attempted in the last ten minutes, in any state. */
export const wasNotifiedRecently = statement({
  name: 'was_notified_in_slack_lately',
  params: ['orgId', 'assignee', 'title', 'workflow'],
  row: z.object({ notified: z.boolean() }),
  text: `select exists (
           select from slack_messages
           where org_id = $1 and lower(assignee) = lower($2) and at > clock_timestamp() - interval '10 minutes'
             and title = $3 and workflow_title = $4
         ) as notified`,
});

/**
 * Claims a message, so that no other process sends it. A claim expires once it is so old that its process must be dead.
 * If the message can't be claimed, returns its state, or null if another process has just claimed it.
 */
export const claimMessage = statement({
  name: 'claim_slack_message',
  params: ['orgId', 'key', 'assignee', 'title', 'workflow', 'claim', 'job', 'silentSeconds'],
  row: z.object({ state: z.enum(['claimed', 'sending', 'waiting', 'sent', 'failed']).nullable() }),
  text: `with claimed as (
           insert into slack_messages as m (org_id, key, assignee, title, workflow_title, state, claim, job)
           values ($1, $2, $3, $4, $5, 'sending', $6, $7)
           on conflict (org_id, key) do update set state = 'sending', claim = excluded.claim, assignee = excluded.assignee, at = clock_timestamp()
             where m.state = 'waiting'
                or (m.state = 'sending' and m.at < clock_timestamp() - make_interval(secs => $8::float8))
           returning 1
         )
         select case when exists (select from claimed) then 'claimed'
                     else (select m.state from slack_messages m where m.org_id = $1 and m.key = $2) end as state`,
});

/**
 * Saves the outcome of sending. If another process has taken over the claim, only `sent` is saved. `sent` and `failed`
 * never change.
 */
export const finishMessage = statement({
  name: 'finish_slack_message',
  params: ['orgId', 'key', 'claim', 'state', 'channelId', 'ts', 'problem'],
  text: `update slack_messages set state = $4, channel_id = $5, ts = $6, problem = left($7, 500), at = clock_timestamp()
         where org_id = $1 and key = $2 and state = 'sending' and (claim = $3 or $4 = 'sent')`,
});

/** Re-enqueues waiting messages, at most 1000, after the organization has reconnected. */
export const enqueueWaiting = statement({
  name: 'enqueue_waiting_slack_messages',
  params: ['orgId'],
  text: `insert into outbox (task, payload, job_key)
         select 'tell_in_slack', job, 'slack:' || key
         from slack_messages where org_id = $1 and state = 'waiting' order by at limit 1000`,
});

/** The connected organizations with a message that has been waiting longer than any retry would take. */
export const listOrganizationsWaiting = statement({
  name: 'list_organizations_waiting_for_slack',
  params: ['idleSeconds'],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from organizations_waiting_for_slack($1::float8) org_id`,
});

/**
 * Re-enqueues messages that have been waiting this long, at most 1000. If two nodes do this concurrently, each message
 * is enqueued by only one of them.
 */
export const enqueueIdle = statement({
  name: 'enqueue_idle_slack_messages',
  params: ['orgId', 'idleSeconds'],
  text: `with idle as (
           select key from slack_messages
           where org_id = $1 and state = 'waiting' and at < clock_timestamp() - make_interval(secs => $2::float8)
           order by at limit 1000 for update skip locked
         ), taken as (
           update slack_messages m set at = clock_timestamp() from idle
           where m.org_id = $1 and m.key = idle.key and m.state = 'waiting' returning m.key, m.job
         )
         insert into outbox (task, payload, job_key) select 'tell_in_slack', job, 'slack:' || key from taken`,
});

/** Marks a waiting message that is out of date as failed. */
export const dropWaitingMessage = statement({
  name: 'drop_waiting_slack_message',
  params: ['orgId', 'key'],
  text: `update slack_messages set state = 'failed', problem = 'The message was out of date', at = clock_timestamp()
         where org_id = $1 and key = $2 and state = 'waiting'`,
});

/** The member who currently has this address. No row if their account is disabled. */
export const findMemberByEmail = statement({
  name: 'find_member_by_email',
  params: ['orgId', 'email'],
  row: memberRow,
  text: `select ${memberColumns}
         from users u join memberships m on m.org_id = $1 and m.user_id = u.id join organizations o on o.id = m.org_id
         where u.email = lower($2) and u.disabled_at is null`,
});

/** The channel and timestamp of a message that was sent, and the assignee that it was sent to. */
export const findSentMessage = statement({
  name: 'find_sent_slack_message',
  params: ['orgId', 'key'],
  row: z.object({ channel_id: z.string(), ts: z.string(), assignee: z.string() }),
  text: `select channel_id, ts, assignee from slack_messages
         where org_id = $1 and key = $2 and state = 'sent' and channel_id is not null and ts is not null`,
});

/** For each of these messages that was sent or is being sent, enqueues an update. */
export const enqueueUpdates = statement({
  name: 'enqueue_slack_updates',
  params: ['orgId', 'keys'],
  list: 'keys',
  text: `insert into outbox (task, payload, job_key)
         select 'refresh_in_slack', m.job, 'slack:refresh:' || m.key
         from slack_messages m
         where m.org_id = $1 and m.key = any(array(select jsonb_array_elements_text($2::jsonb))) and m.state in ('sending', 'sent')`,
});

/** The current state of a step, with the data of its message. */
export const findStepState = statement({
  name: 'find_slack_step_state',
  params: ['orgId', 'runId', 'stepId'],
  row: z.object({
    status: z.string(),
    run_name: z.string(),
    title: z.string(),
    type: z.string(),
    step: z.custom<StepState>(),
    cancelled_by: z.custom<RunActor>().nullable(),
  }),
  text: `select r.status, r.name as run_name, s.title, s.type, r.state -> 'steps' -> s.step_id as step, r.state -> 'by' as cancelled_by
         from runs r join run_steps s on s.org_id = r.org_id and s.run_id = r.id
         where r.org_id = $1 and r.id = $2 and s.step_id = $3`,
});
