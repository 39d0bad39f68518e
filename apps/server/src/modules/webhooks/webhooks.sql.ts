import { ROTATION_GRACE_MS } from '@stet/domain/webhooks';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

const webhookRow = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  actions: z.custom<string[]>(),
  is_active: z.boolean(),
  generation: z.number(),
  created_at: z.date(),
  old_secret_until: z.date().nullable(),
  waiting: z.number(),
  dead: z.number(),
  failures_in_row: z.number(),
});
export type WebhookRow = z.output<typeof webhookRow>;

const GRACE = `interval '${ROTATION_GRACE_MS} milliseconds'`;
const oldUntil = `case when w.rotated_at > now() - ${GRACE} then w.rotated_at + ${GRACE} end as old_secret_until`;
const counted = (state: string): string =>
  `(select count(*)::int from (select 1 from webhook_deliveries d where d.org_id = w.org_id and d.webhook_id = w.id and d.state = '${state}' limit 1000) n) as ${state}`;
const columns = `w.id, w.name, w.url, w.actions, w.is_active, w.generation, w.created_at, ${oldUntil}, ${counted('waiting')}, ${counted('dead')}, w.failures_in_row`;

export const listWebhooks = statement({
  name: 'list_webhooks',
  params: ['orgId', 'limit'],
  row: webhookRow,
  text: `select ${columns} from webhooks w where w.org_id = $1 order by w.created_at desc, w.id desc limit $2`,
});

export const findWebhook = statement({
  name: 'find_webhook',
  params: ['orgId', 'id'],
  row: webhookRow,
  text: `select ${columns} from webhooks w where w.org_id = $1 and w.id = $2`,
});

/** How many webhooks there are, the number of the last event, and the time. */
export const findWebhookPlace = statement({
  name: 'find_webhook_place',
  params: ['orgId'],
  row: z.object({ count: z.number(), seq: z.number(), now: z.date() }),
  text: `select (select count(*)::int from webhooks where org_id = $1) as count,
                coalesce((select seq from audit_heads where org_id = $1), 0) as seq, now() as now`,
});

export const insertWebhook = statement({
  name: 'insert_webhook',
  params: ['orgId', 'id', 'url', 'name', 'actions', 'afterSeq', 'createdBy', 'createdAt'],
  text: `insert into webhooks (org_id, id, url, name, actions, after_seq, created_by, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
});

/** Creates the cursor of the organization together with its first webhook. */
export const insertCursor = statement({
  name: 'insert_webhook_cursor',
  params: ['orgId', 'seq'],
  text: `insert into webhook_cursors (org_id, seq) values ($1, $2) on conflict (org_id) do nothing`,
});

export const updateWebhook = statement({
  name: 'update_webhook',
  params: ['orgId', 'id', 'name', 'url', 'actions', 'isActive'],
  text: `update webhooks set name = $3, url = $4, actions = $5, is_active = $6, hold_until = null, failures_in_row = 0
         where org_id = $1 and id = $2`,
});

export const rotateWebhook = statement({
  name: 'rotate_webhook',
  params: ['orgId', 'id'],
  row: z.object({ generation: z.number() }),
  text: `update webhooks set generation = generation + 1, rotated_at = now() where org_id = $1 and id = $2 returning generation`,
});

export const deleteWebhook = statement({
  name: 'delete_webhook',
  params: ['orgId', 'id'],
  row: z.object({ name: z.string(), url: z.string() }),
  text: `delete from webhooks where org_id = $1 and id = $2 returning name, url`,
});
