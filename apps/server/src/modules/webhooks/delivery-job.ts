import { z } from 'zod';
import type { Job } from '../../db/outbox.ts';

export const deliveryPayload = z.object({ orgId: z.uuid(), webhookId: z.uuid(), subject: z.string() });
export type DeliveryQueue = z.output<typeof deliveryPayload>;

/** The job that sends what waits of one subject for one webhook, one after the other; named as `sweep_webhooks` names it. */
export const deliveryJob = ({ orgId, webhookId, subject }: DeliveryQueue, delayMs?: number): Job => ({
  task: 'deliver_webhook',
  payload: { orgId, webhookId, subject },
  key: `webhook:${webhookId}:${subject}`,
  turnOf: orgId,
  ...(delayMs !== undefined && { delayMs }),
});
