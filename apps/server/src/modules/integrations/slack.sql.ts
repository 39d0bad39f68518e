import type { OrgRole, Role } from '@stet/domain/access';
import type { RunActor, StepState } from '@stet/domain/runs';
import { z } from 'zod';
import { proofColumns } from '../../http/authenticate.ts';
import { statement } from '../../db/statement.ts';

/** The active step that a message was made for; no row once it has moved on. */
export const findStepToTell = statement({
  name: 'find_step_to_tell_in_slack',
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

/** How the member with an address has picked to be told of a kind of news in Slack; no row where they have not. */
export const findSlackPace = statement({
  name: 'find_slack_pace',
  params: ['orgId', 'email', 'news'],
  row: z.object({ pace: z.string() }),
  text: `select p.pace from users u join notification_preferences p on p.org_id = $1 and p.user_id = u.id
         where u.email = lower($2) and p.news = $3 and p.channel = 'slack'`,
});

const toldPerson = {
  email: z.string(),
  title: z.string(),
  run_id: z.uuid().nullable(),
  workflow_key: z.string().nullable(),
  draft_id: z.uuid().nullable(),
};

/** Something that a member was told; no row for who is no member any more. */
export const findNewsToTell = statement({
  name: 'find_news_to_tell_in_slack',
  params: ['orgId', 'userId', 'id'],
  row: z.object({ ...toldPerson, body: z.string() }),
  text: `select u.email, n.title, n.run_id, n.workflow_key, n.draft_id, n.body
         from notifications n
         join memberships m on m.org_id = n.org_id and m.user_id = n.user_id
         join users u on u.id = n.user_id
         where n.org_id = $1 and n.user_id = $2 and n.id = $3`,
});

/** What was held back of Slack for a member and belongs into a digest, oldest first. */
export const listDigestToTell = statement({
  name: 'list_digest_to_tell_in_slack',
  params: ['orgId', 'userId', 'id'],
  row: z.object(toldPerson),
  text: `select u.email, n.title, n.run_id, n.workflow_key, n.draft_id
         from notifications n
         join memberships m on m.org_id = n.org_id and m.user_id = n.user_id
         join users u on u.id = n.user_id
         where n.org_id = $1 and n.user_id = $2 and n.digest_id = $3 and n.slack = 'daily'
         order by n.created_at, n.id`,
});

/** The steps that wait for an assignee under a title, in runs of a workflow of that name. */
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

/** Whether the same was told, or is about to be, a short while ago. */
export const wasToldLately = statement({
  name: 'was_told_in_slack_lately',
  params: ['orgId', 'assignee', 'title', 'workflow'],
  row: z.object({ told: z.boolean() }),
  text: `select exists (
           select from slack_messages
           where org_id = $1 and lower(assignee) = lower($2) and at > clock_timestamp() - interval '10 minutes'
             and title = $3 and workflow_title = $4
         ) as told`,
});

/**
 * Takes a message: nobody else sends it until the claim is settled, or is so old that whoever had it is dead. Otherwise
 * answers how far it has come; null where another has just taken it.
 */
export const claimMessage = statement({
  name: 'claim_slack_message',
  params: ['orgId', 'key', 'assignee', 'title', 'workflow', 'claim', 'job', 'silentSeconds'],
  row: z.object({ state: z.enum(['claimed', 'sending', 'waiting', 'sent', 'failed']).nullable() }),
  text: `with claimed as (
           insert into slack_messages as m (org_id, key, assignee, title, workflow_title, state, claim, job)
           values ($1, $2, $3, $4, $5, 'sending', $6, $7)
           on conflict (org_id, key) do update set state = 'sending', claim = excluded.claim, at = clock_timestamp()
             where m.state = 'waiting'
                or (m.state = 'sending' and m.at < clock_timestamp() - make_interval(secs => $8::float8))
           returning 1
         )
         select case when exists (select from claimed) then 'claimed'
                     else (select m.state from slack_messages m where m.org_id = $1 and m.key = $2) end as state`,
});

/** What became of it. What was sent stays sent. */
export const settleMessage = statement({
  name: 'settle_slack_message',
  params: ['orgId', 'key', 'claim', 'state', 'channelId', 'ts', 'problem'],
  text: `update slack_messages set state = $4, channel_id = $5, ts = $6, problem = left($7, 500), at = clock_timestamp()
         where org_id = $1 and key = $2 and state = 'sending' and (claim = $3 or $4 = 'sent')`,
});

/** What is to be tried again now that the organization is connected anew. */
export const listWaitingMessages = statement({
  name: 'list_waiting_slack_messages',
  params: ['orgId'],
  row: z.object({ job: z.custom<Record<string, unknown>>() }),
  text: `select job from slack_messages where org_id = $1 and state = 'waiting' order by at limit 1000`,
});

/** Organizations that are connected, and in which something has waited for so long that no further try is under way. */
export const listOrganizationsWaiting = statement({
  name: 'list_organizations_waiting_for_slack',
  params: ['idleSeconds'],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from organizations_waiting_for_slack($1::float8) org_id`,
});

/** What has waited for so long; of who takes it the same waits anew. */
export const takeWaitingMessages = statement({
  name: 'take_waiting_slack_messages',
  params: ['orgId', 'idleSeconds'],
  row: z.object({ job: z.custom<Record<string, unknown>>() }),
  text: `with idle as (
           select key from slack_messages
           where org_id = $1 and state = 'waiting' and at < clock_timestamp() - make_interval(secs => $2::float8)
           order by at limit 1000 for update skip locked
         )
         update slack_messages m set at = clock_timestamp() from idle
         where m.org_id = $1 and m.key = idle.key and m.state = 'waiting' returning m.job`,
});

/** There is nothing to say any more of what waited. */
export const dropWaitingMessage = statement({
  name: 'drop_waiting_slack_message',
  params: ['orgId', 'key'],
  text: `update slack_messages set state = 'failed', problem = 'There was nothing to tell any more', at = clock_timestamp()
         where org_id = $1 and key = $2 and state = 'waiting'`,
});

/** The member with an address, as the database knows them at this moment. */
export const findMemberByEmail = statement({
  name: 'find_member_by_email',
  params: ['orgId', 'email'],
  row: z.object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: z.custom<Role>(),
    org_role: z.custom<OrgRole>(),
    ...proofColumns,
  }),
  text: `select u.id, u.email, u.name, u.role, m.role as org_role, u.proved_by,
                case when u.proved_by is null then account_standing(m.org_id, u.id) end as standing,
                array(select s.id from users s where mailbox_of(s.email) = mailbox_of(u.email) and s.id <> u.id) as same_mailbox
         from users u join memberships m on m.org_id = $1 and m.user_id = u.id
         where u.email = lower($2)`,
});

/** Whether the person's press of a button was carried out already. */
export const findKeptAct = statement({
  name: 'find_kept_slack_act',
  params: ['orgId', 'userId', 'key'],
  row: z.object({ key: z.string() }),
  text: `select key from idempotency_keys where org_id = $1 and user_id = $2 and key = $3`,
});

/** Where a message stands that was sent. */
export const findSentMessage = statement({
  name: 'find_sent_slack_message',
  params: ['orgId', 'key'],
  row: z.object({ channel_id: z.string(), ts: z.string() }),
  text: `select channel_id, ts from slack_messages
         where org_id = $1 and key = $2 and state = 'sent' and channel_id is not null and ts is not null`,
});

/** A job for each of these messages that was sent, or is being sent; the same that made it says what it is about. */
export const leaveRefreshJobs = statement({
  name: 'leave_slack_refresh_jobs',
  params: ['orgId', 'keys'],
  text: `insert into outbox (task, payload, job_key)
         select 'refresh_in_slack', m.job, 'slack:refresh:' || m.key
         from slack_messages m where m.org_id = $1 and m.key = any($2::text[]) and m.state in ('sending', 'sent')`,
});

/** A step of a run as it is now, with what a message says of it. */
export const findStepStanding = statement({
  name: 'find_slack_step_standing',
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
