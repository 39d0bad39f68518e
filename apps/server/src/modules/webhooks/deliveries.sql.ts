import { WEBHOOK_DELIVERY_STATES } from '@stet/contract';
import { ROTATION_GRACE_MS } from '@stet/domain/webhooks';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

const deliveryRow = z.object({
  id: z.uuid(),
  position: z.number(),
  seq: z.number().nullable(),
  action: z.string(),
  subject: z.string(),
  state: z.enum(WEBHOOK_DELIVERY_STATES),
  attempts: z.number(),
  last_status: z.number().nullable(),
  last_problem: z.string().nullable(),
  last_took_ms: z.number().nullable(),
  created_at: z.date(),
  next_attempt_at: z.date(),
  ended_at: z.date().nullable(),
});
export type DeliveryRow = z.output<typeof deliveryRow>;
const columns = `id, position, seq, action, subject, state, attempts, last_status, last_problem, last_took_ms, created_at, next_attempt_at, ended_at`;

/** A page of the deliveries to a webhook, newest first. */
export const listDeliveries = statement({
  name: 'list_webhook_deliveries',
  params: ['orgId', 'webhookId', 'limit', 'before', 'state'],
  row: deliveryRow,
  text: `select ${columns} from webhook_deliveries
         where org_id = $1 and webhook_id = $2 and position < coalesce($4::bigint, 9223372036854775807)
           and ($5::text is null or state = $5)
         order by position desc limit $3`,
});

export const insertTest = statement({
  name: 'insert_webhook_test',
  params: ['orgId', 'id', 'webhookId'],
  row: deliveryRow,
  text: `insert into webhook_deliveries (org_id, id, webhook_id, action, subject) values ($1, $2, $3, 'webhook.test', 'test:' || $2::uuid::text)
         returning ${columns}`,
});

/** Makes one delivery due, with the full number of attempts, if it has ended, or if it is pending and unclaimed. */
export const reviveDelivery = statement({
  name: 'revive_webhook_delivery',
  params: ['orgId', 'webhookId', 'id'],
  row: deliveryRow,
  text: `update webhook_deliveries set state = 'waiting', attempts = 0, ended_at = null, next_attempt_at = now(), claimed_until = null
         where org_id = $1 and webhook_id = $2 and id = $3
           and (state <> 'waiting' or claimed_until is null or claimed_until < now()) returning ${columns}`,
});

/** Deletes one delivery, unless it was delivered or a server is sending it. */
export const dropDelivery = statement({
  name: 'drop_webhook_delivery',
  params: ['orgId', 'webhookId', 'id'],
  row: z.object({ subject: z.string() }),
  text: `delete from webhook_deliveries
         where org_id = $1 and webhook_id = $2 and id = $3 and state <> 'delivered'
           and (state <> 'waiting' or claimed_until is null or claimed_until < now()) returning subject`,
});

/** Reschedules at most `limit` failed deliveries, the oldest first. */
export const reviveFailed = statement({
  name: 'revive_failed_webhook_deliveries',
  params: ['orgId', 'webhookId', 'limit'],
  row: z.object({ subject: z.string() }),
  text: `update webhook_deliveries set state = 'waiting', attempts = 0, ended_at = null, next_attempt_at = now(), claimed_until = null
         where org_id = $1 and webhook_id = $2 and state = 'dead' and id in (
           select id from webhook_deliveries where org_id = $1 and webhook_id = $2 and state = 'dead' order by position limit $3
         ) returning subject`,
});

/** Makes pending deliveries due immediately, in order within each subject. */
export const makeDeliveriesDue = statement({
  name: 'hasten_webhook_deliveries',
  params: ['orgId', 'webhookId'],
  text: `with hastened as (
           update webhook_deliveries set next_attempt_at = now()
           where org_id = $1 and webhook_id = $2 and state = 'waiting' and next_attempt_at > now() returning subject
         )
         insert into outbox (task, payload, job_key, turn_of)
         select distinct 'deliver_webhook', jsonb_build_object('orgId', $1::uuid, 'webhookId', $2::uuid, 'subject', subject),
                'webhook:' || $2::uuid || ':' || subject, $1::uuid::text
         from hastened`,
});

/** Ends the pause of a webhook that failed, because someone wants to send to it again. */
export const endPause = statement({
  name: 'end_webhook_pause',
  params: ['orgId', 'webhookId'],
  text: `update webhooks set hold_until = null, failures_in_row = 0 where org_id = $1 and id = $2`,
});

export const listOrganizationsWithEvents = statement({
  name: 'find_organizations_with_news',
  params: [],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from organizations_with_news() as org_id`,
});

/**
 * Locks and reads the number of the last event that was passed on. Another node waits for this lock, and then continues
 * after that event.
 */
export const lockCursor = statement({
  name: 'lock_webhook_cursor',
  params: ['orgId'],
  row: z.object({ seq: z.number() }),
  text: `select seq from webhook_cursors where org_id = $1 for update`,
});

/**
 * Lists the events after the cursor. Events are numbered without gaps and become visible in that order, so no event
 * before the cursor is still missing.
 */
export const listNewEvents = statement({
  name: 'list_webhook_news',
  params: ['orgId', 'limit'],
  row: z.object({ seq: z.number(), action: z.string(), subject: z.string() }),
  text: `select e.seq, e.action, case when e.run_id is null then e.subject_type || ':' || e.subject_id else 'run:' || e.run_id end as subject
         from audit_events e
         where e.org_id = $1 and e.seq > (select c.seq from webhook_cursors c where c.org_id = $1) order by e.seq limit $2`,
});

export const listListeners = statement({
  name: 'list_webhook_listeners',
  params: ['orgId'],
  row: z.object({ id: z.uuid(), actions: z.custom<string[]>(), after_seq: z.number() }),
  text: `select id, actions, after_seq from webhooks where org_id = $1 and is_active`,
});

export const insertDeliveries = statement({
  name: 'insert_webhook_deliveries',
  params: ['orgId', 'deliveries'],
  text: `insert into webhook_deliveries (org_id, id, webhook_id, seq, action, subject)
         select $1, (d ->> 'id')::uuid, (d ->> 'webhookId')::uuid, (d ->> 'seq')::bigint, d ->> 'action', d ->> 'subject'
         from jsonb_array_elements($2::jsonb) with ordinality as t (d, n) order by n
         on conflict (org_id, webhook_id, seq) do nothing`,
});

export const advanceCursor = statement({
  name: 'advance_webhook_cursor',
  params: ['orgId', 'seq'],
  text: `update webhook_cursors set seq = $2 where org_id = $1 and seq < $2`,
});

/**
 * Claims the oldest pending delivery of a subject for a minute, if it is due and unclaimed, unless its webhook is
 * paused.
 */
export const claimDelivery = statement({
  name: 'claim_webhook_delivery',
  params: ['orgId', 'webhookId', 'subject'],
  row: z.object({
    id: z.uuid(),
    seq: z.number().nullable(),
    action: z.string(),
    attempts: z.number(),
    created_at: z.date(),
    url: z.string(),
    generation: z.number(),
    has_old_secret: z.boolean(),
    failures_in_row: z.number(),
    now: z.date(),
  }),
  text: `update webhook_deliveries d set claimed_until = now() + interval '1 minute', attempts = d.attempts + 1
         from webhooks w
         where d.org_id = $1 and w.org_id = d.org_id and w.id = d.webhook_id and w.is_active
           and d.id = (select id from webhook_deliveries where org_id = $1 and webhook_id = $2 and subject = $3 and state = 'waiting' order by position limit 1)
           and d.state = 'waiting' and d.next_attempt_at <= now() and (d.claimed_until is null or d.claimed_until < now())
           and (w.hold_until is null or w.hold_until <= now())
         returning d.id, d.seq, d.action, d.attempts, d.created_at, w.url, w.generation,
                   coalesce(w.rotated_at > now() - interval '${ROTATION_GRACE_MS} milliseconds', false) as has_old_secret, w.failures_in_row, now() as now`,
});

/**
 * The time until the next attempt for the oldest pending delivery of a subject, in milliseconds. No row if none is
 * pending or someone has paused the webhook.
 */
export const findNextTry = statement({
  name: 'find_next_webhook_try',
  params: ['orgId', 'webhookId', 'subject'],
  row: z.object({ wait_ms: z.number() }),
  text: `select extract(epoch from greatest(d.next_attempt_at, d.claimed_until, w.hold_until) - now())::float8 * 1000 as wait_ms
         from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id and w.is_active
         where d.org_id = $1 and d.webhook_id = $2 and d.subject = $3 and d.state = 'waiting' order by d.position limit 1`,
});

export const findDeliveredEvent = statement({
  name: 'find_delivered_event',
  params: ['orgId', 'seq'],
  row: z.object({
    at: z.string(),
    payload: z.string().nullable(),
    subject_type: z.string(),
    subject_id: z.string(),
    run_id: z.uuid().nullable(),
    hash: z.string(),
  }),
  text: `select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, payload, subject_type, subject_id, run_id, encode(hash, 'hex') as hash
         from audit_events where org_id = $1 and seq = $2`,
});

/** Saves an attempt's outcome. The wait, in milliseconds, is null unless the delivery will be retried. */
export const finishDelivery = statement({
  name: 'finish_webhook_delivery',
  params: ['orgId', 'id', 'state', 'status', 'problem', 'tookMs', 'waitMs'],
  text: `update webhook_deliveries
         set state = $3, last_status = $4, last_problem = $5, last_took_ms = $6, claimed_until = null,
             ended_at = case when $3 = 'waiting' then null else now() end,
             next_attempt_at = now() + make_interval(secs => coalesce($7::float8, 0) / 1000)
         where org_id = $1 and id = $2 and state = 'waiting'`,
});

export const noteAnswer = statement({
  name: 'note_webhook_answer',
  params: ['orgId', 'webhookId'],
  text: `update webhooks set failures_in_row = 0, hold_until = null where org_id = $1 and id = $2 and failures_in_row > 0`,
});

export const noteFailure = statement({
  name: 'note_webhook_failure',
  params: ['orgId', 'webhookId', 'pauseMs'],
  text: `update webhooks set failures_in_row = failures_in_row + 1,
                hold_until = case when $3::float8 > 0 then now() + make_interval(secs => $3 / 1000) end
         where org_id = $1 and id = $2`,
});

export const sweepWebhooks = statement({
  name: 'sweep_webhooks',
  params: [],
  row: z.object({ made: z.number() }),
  text: `select sweep_webhooks() as made`,
});
