import { pauseAfterFailures, waitAfter } from '@stet/domain/webhooks';
import { enqueueJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { PostOutcome, WebhookPost } from '../../kernel/webhook-post.ts';
import {
  claimDelivery,
  findDeliveredEvent,
  findNextTry,
  makeDeliveriesDue,
  noteAnswer,
  noteFailure,
  finishDelivery,
  sweepWebhooks as sweep,
} from './deliveries.sql.ts';
import { type DeliveryQueue, deliveryJob, deliveryPayload } from './delivery-job.ts';
import { secretOf, signatureOf } from './signature.ts';
import { webhookBody } from './webhook-body.ts';

/** Number of deliveries of one subject after which others get a turn, even if more are pending. */
const MAX_IN_A_ROW = 50;

/**
 * Sends the pending deliveries of one subject to one webhook. Sends each one only after the previous one was accepted
 * or has failed permanently. Stops at a delivery that isn't due, that fails, or that another worker has claimed.
 */
export async function deliverWebhook(deps: Deps, post: WebhookPost, payload: Record<string, unknown>): Promise<void> {
  const queue = deliveryPayload.parse(payload);
  for (let sent = 0; sent < MAX_IN_A_ROW; sent += 1) {
    const isDelivered = await deliverNext(deps, post, queue);
    if (!isDelivered) return;
  }
  await deps.db.transaction(tenantOf(queue), async (tx) => enqueueJobs(tx, [deliveryJob(queue)]));
  deps.pokeOutbox();
}

/** Enqueues jobs for pending deliveries whose jobs were lost. */
export async function sweepWebhooks({ db, pokeOutbox }: Deps): Promise<void> {
  const [swept] = await db.query(sweep, {});
  if (swept && swept.made > 0) pokeOutbox();
}

const tenantOf = ({ orgId }: DeliveryQueue) => ({ orgId, userId: null });

/** Sends the next delivery if it is due. Returns true if it was accepted, so that the one after it can be sent. */
async function deliverNext(
  { db, derive, derivedBefore }: Deps,
  post: WebhookPost,
  queue: DeliveryQueue,
): Promise<boolean> {
  const { orgId, webhookId } = queue;
  const claimed = await db.transaction(tenantOf(queue), async (tx) => {
    const claim = await tx.maybeOne(claimDelivery, queue);
    if (!claim) {
      // If a delivery is pending, it isn't due yet, its webhook is paused or another worker has claimed it. Its next
      // attempt is enqueued, and replaces any other job for this subject.
      const next = await tx.maybeOne(findNextTry, queue);
      if (next) enqueueJobs(tx, [deliveryJob(queue, Math.max(0, Math.ceil(next.wait_ms)) + 50)]);
      return null;
    }
    const event = claim.seq === null ? null : await tx.maybeOne(findDeliveredEvent, { orgId, seq: claim.seq });
    return { claim, event: event ?? null };
  });
  if (!claimed) return false;

  const { claim, event } = claimed;
  const body = webhookBody(orgId, claim, event);
  const generations = claim.has_old_secret ? [claim.generation, claim.generation - 1] : [claim.generation];
  // As long as an earlier secret of the installation is configured, receivers may still check signatures derived from
  // it.
  const secrets = [derive, ...derivedBefore].flatMap((by) =>
    generations.map((generation) => secretOf(by, webhookId, generation)),
  );
  const outcome = await post.send({
    url: claim.url,
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stet-Webhooks',
      'stet-event': claim.action,
      'stet-delivery': claim.id,
      'stet-attempt': String(claim.attempts),
      'stet-signature': signatureOf(secrets, Math.floor(claim.now.getTime() / 1000), body),
    },
  });
  await finish(db, queue, claim, outcome);
  return outcome.ok;
}

type Claim = { id: string; seq: number | null; attempts: number; failures_in_row: number };

async function finish(db: Deps['db'], queue: DeliveryQueue, claim: Claim, outcome: PostOutcome): Promise<void> {
  const { orgId, webhookId } = queue;
  const { status, tookMs } = outcome;
  await db.transaction(tenantOf(queue), async (tx) => {
    const finished = { orgId, id: claim.id, status, tookMs };
    if (outcome.ok) {
      tx.write(finishDelivery, { ...finished, state: 'delivered', problem: null, waitMs: null });
      tx.write(noteAnswer, { orgId, webhookId });
      // A successful test shows that the other deliveries can be retried now.
      if (claim.seq === null) tx.write(makeDeliveriesDue, { orgId, webhookId });
      return;
    }
    const waitMs = waitAfter(claim.attempts);
    const state = waitMs === null ? 'dead' : 'waiting';
    tx.write(finishDelivery, { ...finished, state, problem: outcome.problem, waitMs });
    tx.write(noteFailure, { orgId, webhookId, pauseMs: pauseAfterFailures(claim.failures_in_row + 1) });
    // After a permanent failure, the subject's next delivery is sent immediately.
    enqueueJobs(tx, [deliveryJob(queue, waitMs === null ? 0 : waitMs + 50)]);
  });
}
