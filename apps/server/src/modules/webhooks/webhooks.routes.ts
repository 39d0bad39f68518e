import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { listDeliveries } from './deliveries.sql.ts';
import { MAX_WEBHOOKS, addWebhook, changeWebhook, removeWebhook, rotateSecret } from './save-webhook.ts';
import { redeliver, redeliverFailed, testWebhook } from './redeliver.ts';
import { presentDelivery, presentWebhook } from './webhook.presenter.ts';
import { findWebhook, listWebhooks } from './webhooks.sql.ts';

export const webhookHandlers = {
  'GET /api/webhooks': async ({ db }, { actor }) => {
    const { orgId } = actor;
    const rows = await db.transaction(actor, (tx) => tx.many(listWebhooks, { orgId, limit: MAX_WEBHOOKS }));
    return answer(rows.map(presentWebhook));
  },
  'POST /api/webhooks': addWebhook,
  'PATCH /api/webhooks/{id}': changeWebhook,
  'DELETE /api/webhooks/{id}': removeWebhook,
  'POST /api/webhooks/{id}/rotate': rotateSecret,
  'POST /api/webhooks/{id}/test': testWebhook,
  'GET /api/webhooks/{id}/deliveries': async ({ db }, { actor, params, query }) => {
    const { orgId } = actor;
    const { limit, cursor, state = null } = query;
    const before = cursor === undefined ? null : readCursor(cursor);
    const [webhook, rows] = await db.transaction(actor, (tx) =>
      Promise.all([
        tx.maybeOne(findWebhook, { orgId, id: params.id }),
        tx.many(listDeliveries, { orgId, webhookId: params.id, limit: limit + 1, before, state }),
      ]),
    );
    if (!webhook) throw new Refused({ code: 'not_found', what: 'webhook' });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return answer(
      page.map(presentDelivery),
      rows.length > limit && last ? { 'x-next-cursor': String(last.position) } : {},
    );
  },
  'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver': redeliver,
  'POST /api/webhooks/{id}/redeliver': redeliverFailed,
} satisfies Partial<Handlers>;

function readCursor(cursor: string): number {
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor);
  throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor for this list' }] });
}
