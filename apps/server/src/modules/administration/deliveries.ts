import { enqueueJobs } from '../../db/outbox.ts';
import type { Administration } from '../../kernel/deps.ts';
import { appendAudit } from '../audit/index.ts';
import { deliveryJob, endPause, reviveDelivery } from '../webhooks/index.ts';
import type { By } from './people.ts';

/**
 * Sends a delivery again immediately, with the full number of attempts and an event in the organization's trail. `busy`: a
 * server is sending it right now.
 */
export async function retryDelivery(
  { query, db }: Administration,
  id: string,
  actor: By,
): Promise<'sent' | 'busy' | 'unknown'> {
  const [found] = await query<{ org_id: string; webhook_id: string; name: string }>(
    `select d.org_id, d.webhook_id, w.name from webhook_deliveries d
     join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id where d.id = $1`,
    [id],
  );
  if (!found) return 'unknown';
  const { org_id: orgId, webhook_id: webhookId, name } = found;
  return db.transaction({ orgId, userId: null }, async (tx) => {
    const delivery = await tx.maybeOne(reviveDelivery, { orgId, webhookId, id });
    if (!delivery) return 'busy';
    tx.write(endPause, { orgId, webhookId });
    enqueueJobs(tx, [deliveryJob({ orgId, webhookId, subject: delivery.subject })]);
    const subject = { type: 'webhook' as const, id: webhookId };
    appendAudit(tx, [
      { actor, action: 'webhook.redelivered', subject, data: { name, deliveries: 1, by: 'administrator' } },
    ]);
    return 'sent';
  });
}
