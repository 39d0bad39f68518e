import { randomUUID } from 'node:crypto';
import type { Deps } from '../../../kernel/deps.ts';
import { regularly } from '../../../kernel/regularly.ts';
import type { StepJob } from './active-step.ts';
import { claimDelivery, renewClaim, listDeliveries, finishDelivery } from './execution.sql.ts';

/**
 * A sender whose claim hasn't been renewed for this long counts as dead. This has to be equal to `DEAD_AFTER` in
 * `db/job-pools.ts`.
 */
const SILENT_MS = 15_000;
const BEAT_MS = 3000;

type DeliverDeps = Pick<Deps, 'db' | 'log'>;
type Delivery = {
  job: StepJob;
  channel: 'email' | 'slack';
  recipients: readonly string[];
  send: (recipient: string) => Promise<void>;
  /** The minimum delay before a retry, in milliseconds. Null if a retry can't succeed. */
  pauseAfter: (problem: Error) => number | null;
  isLastTry: boolean;
};

/**
 * `finished`: each recipient was sent the message or can't be reached. `again`: some recipients couldn't be reached
 * yet. `shared`: another job is sending to some of them. `stopped`: the run is paused or the step is no longer active,
 * so nothing more may be sent.
 */
export type Delivered =
  | { state: 'finished'; failed: string[] }
  | { state: 'again'; waitMs: number }
  | { state: 'shared' }
  | { state: 'stopped' };

/**
 * Sends to each unfinished recipient, one after the other. The job claims each recipient before sending and saves the
 * outcome afterwards, so that only one job of this activation sends to them. If the process dies in between, another
 * job takes over the claim and sends the message again, because nothing shows whether it was sent.
 */
export async function deliver(deps: DeliverDeps, delivery: Delivery): Promise<Delivered> {
  const { recipients } = delivery;
  let waitMs = 0;
  const done = new Set((await deliveriesOf(deps, delivery)).filter(isFinished).map(({ recipient }) => recipient));
  for (const recipient of recipients) {
    if (done.has(recipient)) continue;
    const claim = { recipient, claim: randomUUID() };
    const { isWanted, isClaimed } = await claimed(deps, delivery, claim);
    if (!isWanted) return { state: 'stopped' };
    if (isClaimed) waitMs = Math.max(waitMs, await deliverOne(deps, delivery, claim));
  }
  const states = new Map((await deliveriesOf(deps, delivery)).map(({ recipient, state }) => [recipient, state]));
  const left = recipients.map((recipient) => states.get(recipient));
  if (left.includes('waiting')) return { state: 'again', waitMs };
  if (left.some((state) => state === undefined || state === 'sending')) return { state: 'shared' };
  return { state: 'finished', failed: recipients.filter((recipient) => states.get(recipient) === 'failed') };
}

const isFinished = ({ state }: { state: string }): boolean => state === 'sent' || state === 'failed';

type Claim = { recipient: string; claim: string };

/** Sends to one recipient. Returns the minimum delay before a retry, in milliseconds; 0 also if there is no retry. */
async function deliverOne(deps: DeliverDeps, delivery: Delivery, claim: Claim): Promise<number> {
  const { job, send, pauseAfter, isLastTry } = delivery;
  const beat = regularly(BEAT_MS, () => extendClaim(deps, delivery, claim), deps.log);
  let problem: Error | null = null;
  try {
    await send(claim.recipient);
  } catch (error) {
    problem = error instanceof Error ? error : new Error('It could not be sent');
  } finally {
    await beat.stop();
  }
  const pause = problem === null || isLastTry ? null : pauseAfter(problem);
  if (pause !== null) deps.log.warn({ err: problem, runId: job.runId }, 'could not send a message; retrying later');
  const state = problem === null ? 'sent' : pause === null ? 'failed' : 'waiting';
  await finish(deps, delivery, claim, state, problem?.message ?? null);
  return pause ?? 0;
}

const placeOf = ({ job: { orgId, runId, stepId, activation }, channel }: Delivery) => ({
  orgId,
  runId,
  stepId,
  activation,
  channel,
});

const deliveriesOf = ({ db }: DeliverDeps, delivery: Delivery) =>
  db.transaction({ orgId: delivery.job.orgId, userId: null }, (tx) => tx.many(listDeliveries, placeOf(delivery)));

async function claimed({ db }: DeliverDeps, delivery: Delivery, claim: Claim) {
  const row = await db.transaction({ orgId: delivery.job.orgId, userId: null }, (tx) =>
    tx.maybeOne(claimDelivery, { ...placeOf(delivery), ...claim, silentMs: SILENT_MS }),
  );
  return { isWanted: row?.is_wanted ?? false, isClaimed: row?.is_claimed ?? false };
}

const extendClaim = ({ db }: DeliverDeps, delivery: Delivery, claim: Claim): Promise<void> =>
  db.transaction({ orgId: delivery.job.orgId, userId: null }, async (tx) =>
    tx.write(renewClaim, { ...placeOf(delivery), ...claim }),
  );

const finish = (
  { db }: DeliverDeps,
  delivery: Delivery,
  claim: Claim,
  state: 'sent' | 'failed' | 'waiting',
  problem: string | null,
): Promise<void> =>
  db.transaction({ orgId: delivery.job.orgId, userId: null }, async (tx) =>
    tx.write(finishDelivery, { ...placeOf(delivery), ...claim, state, problem }),
  );
