import { enqueueJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import { newId } from '../../kernel/ids.ts';
import {
  advanceCursor,
  listOrganizationsWithEvents,
  insertDeliveries,
  listListeners,
  listNewEvents,
  lockCursor,
} from './deliveries.sql.ts';
import { deliveryJob } from './delivery-job.ts';

const CHUNK = 500;

/**
 * Passes committed audit events to the webhooks that subscribe to them, each once and in order. Because this job reads
 * the trail, use cases need no code for webhooks, and no event can be missed.
 */
export async function feedWebhooks(deps: Deps): Promise<void> {
  const organizations = await deps.db.query(listOrganizationsWithEvents, {});
  for (const { org_id: orgId } of organizations) while ((await handOn(deps, orgId)) === CHUNK);
}

async function handOn({ db, pokeOutbox }: Deps, orgId: string): Promise<number> {
  const handed = await db.transaction({ orgId, userId: null }, async (tx) => {
    // The cursor is locked before the events are read, so that events that another node has just passed on are skipped.
    const cursor = await tx.maybeOne(lockCursor, { orgId });
    if (!cursor) return 0;
    const [events, listeners] = await Promise.all([
      tx.many(listNewEvents, { orgId, limit: CHUNK }),
      tx.many(listListeners, { orgId }),
    ]);
    const last = events.at(-1);
    if (!last) return 0;
    const deliveries = events.flatMap(({ seq, action, subject }) =>
      listeners
        .filter(({ actions, after_seq }) => seq > after_seq && (actions.length === 0 || actions.includes(action)))
        .map(({ id: webhookId }) => ({ id: newId(), webhookId, seq, action, subject })),
    );
    if (deliveries.length > 0) tx.write(insertDeliveries, { orgId, deliveries: JSON.stringify(deliveries) });
    const jobs = new Map(
      deliveries.map(({ webhookId, subject }) => [
        `${webhookId} ${subject}`,
        deliveryJob({ orgId, webhookId, subject }),
      ]),
    );
    enqueueJobs(tx, [...jobs.values()]);
    tx.write(advanceCursor, { orgId, seq: last.seq });
    return events.length;
  });
  if (handed > 0) pokeOutbox();
  return handed;
}
