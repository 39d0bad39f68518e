import { enqueueJobs } from '../../db/outbox.ts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { endPause, insertTest, reviveFailed, reviveDelivery } from './deliveries.sql.ts';
import { deliveryJob } from './delivery-job.ts';
import { presentDelivery } from './webhook.presenter.ts';
import { findWebhook } from './webhooks.sql.ts';

const MAX_AT_ONCE = 1000;
const NOT_THERE = { code: 'not_found', what: 'webhook' } as const;
const subjectOf = (id: string) => ({ type: 'webhook' as const, id });

/** Sends a test delivery, which shows whether the address can be reached. */
export const testWebhook: Handler<'POST /api/webhooks/{id}/test'> = async (deps, { actor, once, params }) => {
  const { orgId } = actor;
  const webhookId = params.id;
  const tested = await deps.db.changeOnce(actor, once, async (tx) => {
    const row = await tx.maybeOne(findWebhook, { orgId, id: webhookId });
    if (!row) throw new Refused(NOT_THERE);
    const delivery = await tx.maybeOne(insertTest, { orgId, id: newId(), webhookId });
    if (!delivery) throw new Error('a test was not saved');
    tx.write(endPause, { orgId, webhookId });
    enqueueJobs(tx, [deliveryJob({ orgId, webhookId, subject: delivery.subject })]);
    const data = { name: row.name };
    appendAudit(tx, [{ ...auditActor(actor), action: 'webhook.tested', subject: subjectOf(webhookId), data }]);
    return answer(presentDelivery(delivery));
  });
  deps.pokeOutbox();
  return tested;
};

/** Sends one delivery again, under the same id. Refuses with `not_found` while a server is sending it. */
export const redeliver: Handler<'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver'> = async (
  deps,
  { actor, once, params },
) => {
  const { orgId } = actor;
  const { id: webhookId, deliveryId } = params;
  const again = await deps.db.changeOnce(actor, once, async (tx) => {
    const [row, delivery] = await Promise.all([
      tx.maybeOne(findWebhook, { orgId, id: webhookId }),
      tx.maybeOne(reviveDelivery, { orgId, webhookId, id: deliveryId }),
    ]);
    if (!row || !delivery) throw new Refused({ code: 'not_found', what: 'delivery' });
    tx.write(endPause, { orgId, webhookId });
    enqueueJobs(tx, [deliveryJob({ orgId, webhookId, subject: delivery.subject })]);
    const data = { name: row.name, deliveries: 1 };
    appendAudit(tx, [{ ...auditActor(actor), action: 'webhook.redelivered', subject: subjectOf(webhookId), data }]);
    return answer(presentDelivery(delivery));
  });
  deps.pokeOutbox();
  return again;
};

/** Resends at most 1000 failed deliveries, in order within each subject. */
export const redeliverFailed: Handler<'POST /api/webhooks/{id}/redeliver'> = async (deps, { actor, once, params }) => {
  const { orgId } = actor;
  const webhookId = params.id;
  const again = await deps.db.changeOnce(actor, once, async (tx) => {
    const row = await tx.maybeOne(findWebhook, { orgId, id: webhookId });
    if (!row) throw new Refused(NOT_THERE);
    const revived = await tx.many(reviveFailed, { orgId, webhookId, limit: MAX_AT_ONCE });
    if (revived.length > 0) {
      tx.write(endPause, { orgId, webhookId });
      const subjects = [...new Set(revived.map(({ subject }) => subject))];
      enqueueJobs(
        tx,
        subjects.map((subject) => deliveryJob({ orgId, webhookId, subject })),
      );
      const data = { name: row.name, deliveries: revived.length };
      appendAudit(tx, [{ ...auditActor(actor), action: 'webhook.redelivered', subject: subjectOf(webhookId), data }]);
    }
    return answer({ redelivered: revived.length });
  });
  deps.pokeOutbox();
  return again;
};
