import { AUDIT_ACTIONS } from '@stet/domain/audit';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { HOUR, id, message, moment, oneLine } from './shared.ts';

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name for the webhook')
  .max(80)
  .regex(oneLine, 'A name must be a single line');
const url = z.string().trim().min(1, 'Enter a URL').max(2000);
/** Actions of the audit trail; an empty list means all. */
const actions = z.array(z.enum(AUDIT_ACTIONS)).max(AUDIT_ACTIONS.length);

export const WEBHOOK_DELIVERY_STATES = ['waiting', 'delivered', 'dead'] as const;

export const webhook = z.object({
  id,
  name: z.string(),
  url: z.string(),
  actions: z.array(z.string()),
  isActive: z.boolean(),
  createdAt: moment,
  /** The previous secret also signs until this time; null if there is none. */
  oldSecretUntil: moment.nullable(),
  /** Waiting deliveries and failed ones (`dead`), each counted up to 1000. */
  waiting: z.number().int(),
  dead: z.number().int(),
  /** Consecutive failed attempts. A success, a change, a test or a redelivery resets the count. */
  failuresInRow: z.number().int(),
});
export type Webhook = z.infer<typeof webhook>;

const webhookDelivery = z.object({
  id,
  /** The event's number in the audit trail; null for a test delivery. */
  seq: z.number().int().nullable(),
  action: z.string(),
  state: z.enum(WEBHOOK_DELIVERY_STATES),
  attempts: z.number().int(),
  /** HTTP status of the last response; null if there was none. */
  status: z.number().int().nullable(),
  /** The reason why the last attempt failed, as a sentence. */
  problem: z.string().nullable(),
  tookMs: z.number().int().nullable(),
  createdAt: moment,
  /** When the next attempt is due; null if there is none. */
  nextAttemptAt: moment.nullable(),
  endedAt: moment.nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

const params = z.strictObject({ id });
const withSecret = z.object({
  secret: z.string().describe('The signing secret; it is shown only in this response'),
  webhook,
});

export const webhookRoutes = {
  'GET /api/webhooks': { access: 'org.manage', summary: 'The organization’s webhooks', ok: z.array(webhook) },
  'POST /api/webhooks': {
    access: 'org.manage',
    summary:
      'Add a webhook; only this response contains its signing secret. Addresses that aren’t public are refused unless the installation allows them',
    body: z.strictObject({ name, url, actions }),
    ok: withSecret,
    status: 201,
    rateLimit: { name: 'webhook', perAddress: 120, perAccount: 60, windowSeconds: HOUR },
  },
  'PATCH /api/webhooks/{id}': {
    access: 'org.manage',
    summary: 'Change, pause or resume a webhook; events that occur during a pause are never sent',
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
    summary: 'Delete a webhook and its pending deliveries',
    params,
    ok: message,
  },
  'POST /api/webhooks/{id}/rotate': {
    access: 'org.manage',
    summary: 'Create a new signing secret, shown once; the old one also signs for another day',
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
    summary: 'Deliveries of the last month, newest first; X-Next-Cursor contains the cursor of the next page',
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
    summary: 'Send a finished delivery again, or a pending one immediately, with the same delivery id',
    params: params.extend({ deliveryId: id }),
    ok: webhookDelivery,
  },
  'POST /api/webhooks/{id}/redeliver': {
    access: 'org.manage',
    summary: 'Send all failed deliveries again, at most 1000 per call',
    params,
    ok: z.object({ redelivered: z.number().int() }),
  },
} satisfies Routes;
