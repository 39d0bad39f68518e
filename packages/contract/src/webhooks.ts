import { AUDIT_ACTIONS } from '@stet/domain/audit';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { HOUR, id, message, moment, oneLine } from './shared.ts';

const name = z.string().trim().min(1, 'A webhook needs a name').max(80).regex(oneLine, 'A name is one line of text');
const url = z.string().trim().min(1, 'Where should it be sent to?').max(2000);
/** Actions of the audit trail; none stands for all. */
const actions = z.array(z.enum(AUDIT_ACTIONS)).max(AUDIT_ACTIONS.length);

export const WEBHOOK_DELIVERY_STATES = ['waiting', 'delivered', 'dead'] as const;

export const webhook = z.object({
  id,
  name: z.string(),
  url: z.string(),
  actions: z.array(z.string()),
  isActive: z.boolean(),
  createdAt: moment,
  /** Until when the secret before signs as well; null where there is none. */
  oldSecretUntil: moment.nullable(),
  /** How many deliveries wait, and how many were given up. */
  waiting: z.number().int(),
  dead: z.number().int(),
  /** How many tries have failed since the last that did not. */
  failuresInRow: z.number().int(),
});
export type Webhook = z.infer<typeof webhook>;

const webhookDelivery = z.object({
  id,
  /** The event's number in the audit trail; null for a test. */
  seq: z.number().int().nullable(),
  action: z.string(),
  state: z.enum(WEBHOOK_DELIVERY_STATES),
  attempts: z.number().int(),
  /** The status of the last answer; null where there was none. */
  status: z.number().int().nullable(),
  /** Why the last try failed, as a sentence. */
  problem: z.string().nullable(),
  tookMs: z.number().int().nullable(),
  createdAt: moment,
  /** When it is tried next; null where it isn't. */
  nextAttemptAt: moment.nullable(),
  endedAt: moment.nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

const params = z.strictObject({ id });
const withSecret = z.object({ secret: z.string().describe('The signing secret, told only now'), webhook });

export const webhookRoutes = {
  'GET /api/webhooks': { access: 'org.manage', summary: 'The webhooks of the organization', ok: z.array(webhook) },
  'POST /api/webhooks': {
    access: 'org.manage',
    summary: 'Add a webhook; the answer tells its signing secret, once. Refused for addresses that are not public',
    body: z.strictObject({ name, url, actions }),
    ok: withSecret,
    status: 201,
    rateLimit: { name: 'webhook', perAddress: 120, perAccount: 60, windowSeconds: HOUR },
  },
  'PATCH /api/webhooks/{id}': {
    access: 'org.manage',
    summary: 'Change a webhook, pause it or let it go on; what happens while it is paused is not sent later',
    params,
    body: z.strictObject({
      name: name.optional(),
      url: url.optional(),
      actions: actions.optional(),
      isActive: z.boolean().optional(),
    }),
    ok: webhook,
    rateLimit: { name: 'webhook', perAddress: 120, perAccount: 60, windowSeconds: HOUR },
  },
  'DELETE /api/webhooks/{id}': {
    access: 'org.manage',
    summary: 'Remove a webhook with all that waits for it',
    params,
    ok: message,
  },
  'POST /api/webhooks/{id}/rotate': {
    access: 'org.manage',
    summary: 'Make a new signing secret, told once; the old one signs as well for a day',
    params,
    ok: withSecret,
  },
  'POST /api/webhooks/{id}/test': {
    access: 'org.manage',
    summary: 'Send a test event',
    params,
    ok: webhookDelivery,
    rateLimit: { name: 'webhook-test', perAddress: 240, perAccount: 120, windowSeconds: HOUR },
  },
  'GET /api/webhooks/{id}/deliveries': {
    access: 'org.manage',
    summary: 'What was sent to a webhook, newest first, for a month; X-Next-Cursor names the next page',
    params,
    query: z.strictObject({
      state: z.enum(WEBHOOK_DELIVERY_STATES).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(30),
      cursor: z.string().max(20).optional(),
    }),
    ok: z.array(webhookDelivery),
  },
  'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver': {
    access: 'org.manage',
    summary: 'Send an event again, or now where it waits, under the same delivery id',
    params: params.extend({ deliveryId: id }),
    ok: webhookDelivery,
  },
  'POST /api/webhooks/{id}/redeliver': {
    access: 'org.manage',
    summary: 'Send again all that were given up, at most 1000 at a time',
    params,
    ok: z.object({ redelivered: z.number().int() }),
  },
} satisfies Routes;
