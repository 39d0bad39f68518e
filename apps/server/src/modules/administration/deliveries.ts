import { enqueueJobs } from '../../db/outbox.ts';
import type { Administration } from '../../kernel/deps.ts';
import { appendAudit } from '../audit/index.ts';
import { deliveryJob, dropDelivery, endPause, reviveDelivery } from '../webhooks/index.ts';
import type { Verb } from './jobs.ts';
import type { By } from './people.ts';

const ACTIONS = { retry: 'webhook.redelivered', drop: 'webhook.delivery_dropped' } as const;

/**
 * Enqueues a delivery again, with the full number of attempts, or deletes it without sending it. Records this in the
 * organization's trail. Later deliveries about the same subject continue. Returns `busy` if a server is sending the
 * delivery now, and `unknown` if there is no such delivery or a delivered one should be dropped.
 */
export async function changeDelivery(
  { query, db }: Pick<Administration, 'query' | 'db'>,
  verb: Verb,
  id: string,
  actor: By,
): Promise<'changed' | 'busy' | 'unknown'> {
  const [found] = await query<{ org_id: string; webhook_id: string; name: string; state: string }>(
    `select d.org_id, d.webhook_id, w.name, d.state from webhook_deliveries d
     join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id where d.id = $1`,
    [id],
  );
  if (!found || (verb === 'drop' && found.state === 'delivered')) return 'unknown';
  const { org_id: orgId, webhook_id: webhookId, name } = found;
  return db.transaction({ orgId, userId: null }, async (tx) => {
    const delivery = await tx.maybeOne(verb === 'retry' ? reviveDelivery : dropDelivery, { orgId, webhookId, id });
    if (!delivery) return 'busy';
    if (verb === 'retry') tx.write(endPause, { orgId, webhookId });
    enqueueJobs(tx, [deliveryJob({ orgId, webhookId, subject: delivery.subject })]);
    const subject = { type: 'webhook' as const, id: webhookId };
    appendAudit(tx, [{ actor, action: ACTIONS[verb], subject, data: { name, deliveries: 1, by: 'administrator' } }]);
    return 'changed';
  });
}
