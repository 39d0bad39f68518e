import { holdAfter, waitAfter } from '@stet/domain/webhooks';
import { leaveJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { PostOutcome, WebhookPost } from '../../kernel/webhook-post.ts';
import {
  claimDelivery,
  findDeliveredEvent,
  findNextTry,
  hastenDeliveries,
  noteAnswer,
  noteFailure,
  settleDelivery,
  sweepWebhooks as sweep,
} from './deliveries.sql.ts';
import { type DeliveryQueue, deliveryJob, deliveryPayload } from './delivery-job.ts';
import { secretOf, signatureOf } from './signature.ts';
import { webhookBody } from './webhook-body.ts';

/** A subject that never falls silent lets others have a turn. */
const MOST_IN_A_ROW = 50;

/**
 * Sends what waits of one subject for one webhook: the next only once the one before was taken or given up. Of two workers
 * the second finds that the first one has it.
 */
export async function deliverWebhook(deps: Deps, post: WebhookPost, payload: Record<string, unknown>): Promise<void> {
  const queue = deliveryPayload.parse(payload);
  for (let sent = 0; sent < MOST_IN_A_ROW; sent += 1) {
    const isDelivered = await deliverNext(deps, post, queue);
    if (!isDelivered) return;
  }
  await deps.db.transaction(tenantOf(queue), async (tx) => leaveJobs(tx, [deliveryJob(queue)]));
  deps.pokeOutbox();
}

/** Gives what lost its job a new one, and forgets what ended long ago. */
export async function sweepWebhooks({ db, pokeOutbox }: Deps): Promise<void> {
  const [swept] = await db.query(sweep, {});
  if (swept && swept.made > 0) pokeOutbox();
}

const tenantOf = ({ orgId }: DeliveryQueue) => ({ orgId, userId: null });

/** Sends the next, if there is one now. True where there may be another. */
async function deliverNext(
  { db, derive, derivedBefore }: Deps,
  post: WebhookPost,
  queue: DeliveryQueue,
): Promise<boolean> {
  const { orgId, webhookId } = queue;
  const claimed = await db.transaction(tenantOf(queue), async (tx) => {
    const claim = await tx.maybeOne(claimDelivery, queue);
    if (!claim) {
      // Not yet, or another worker has it: this job takes the place of whichever was left for then.
      const next = await tx.maybeOne(findNextTry, queue);
      if (next) leaveJobs(tx, [deliveryJob(queue, Math.max(0, Math.ceil(next.wait_ms)) + 50)]);
      return null;
    }
    const event = claim.seq === null ? null : await tx.maybeOne(findDeliveredEvent, { orgId, seq: claim.seq });
    return { claim, event: event ?? null };
  });
  if (!claimed) return false;

  const { claim, event } = claimed;
  const body = webhookBody(orgId, claim, event);
  const generations = claim.has_old_secret ? [claim.generation, claim.generation - 1] : [claim.generation];
  // While an earlier secret of the installation is still named, receivers may still check by what was derived from it.
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
  await settle(db, queue, claim, outcome);
  return outcome.ok;
}

type Claim = { id: string; seq: number | null; attempts: number; failures_in_row: number };

async function settle(db: Deps['db'], queue: DeliveryQueue, claim: Claim, outcome: PostOutcome): Promise<void> {
  const { orgId, webhookId } = queue;
  const { status, tookMs } = outcome;
  await db.transaction(tenantOf(queue), async (tx) => {
    const settled = { orgId, id: claim.id, status, tookMs };
    if (outcome.ok) {
      tx.write(settleDelivery, { ...settled, state: 'delivered', problem: null, waitMs: null });
      tx.write(noteAnswer, { orgId, webhookId });
      // A test that arrives says that the way is open for the others.
      if (claim.seq === null) tx.write(hastenDeliveries, { orgId, webhookId });
      return;
    }
    const waitMs = waitAfter(claim.attempts);
    const state = waitMs === null ? 'dead' : 'waiting';
    tx.write(settleDelivery, { ...settled, state, problem: outcome.problem, waitMs });
    tx.write(noteFailure, { orgId, webhookId, holdMs: holdAfter(claim.failures_in_row + 1) });
    // Where it was given up, the next of its subject has its turn at once.
    leaveJobs(tx, [deliveryJob(queue, waitMs === null ? 0 : waitMs + 50)]);
  });
}
