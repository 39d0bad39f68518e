import { z } from 'zod';
import type { Job } from '../../db/outbox.ts';

export const deliveryPayload = z.object({ orgId: z.uuid(), webhookId: z.uuid(), subject: z.string() });
export type DeliveryQueue = z.output<typeof deliveryPayload>;

/**
 * The job that sends the pending deliveries of one subject to one webhook, one after the other. The SQL function
 * `sweep_webhooks` and the statement `makeDeliveriesDue` use the same key.
 */
export const deliveryJob = ({ orgId, webhookId, subject }: DeliveryQueue, delayMs?: number): Job => ({
  task: 'deliver_webhook',
  payload: { orgId, webhookId, subject },
  key: `webhook:${webhookId}:${subject}`,
  turnOf: orgId,
  ...(delayMs !== undefined && { delayMs }),
});
