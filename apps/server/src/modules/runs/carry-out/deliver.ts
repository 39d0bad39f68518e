import { randomUUID } from 'node:crypto';
import type { Deps } from '../../../kernel/deps.ts';
import { regularly } from '../../../kernel/regularly.ts';
import type { StepJob } from './active-step.ts';
import { claimDelivery, keepClaim, listDeliveries, settleDelivery } from './carry-out.sql.ts';

/** Nothing was heard of a sender for so long: it is dead. As long as a node's jobs wait for it to come back. */
const SILENT_MS = 15_000;
const BEAT_MS = 3000;

type DeliverDeps = Pick<Deps, 'db' | 'log'>;
type Delivery = {
  job: StepJob;
  channel: 'email' | 'slack';
  recipients: readonly string[];
  send: (recipient: string) => Promise<void>;
  /** How long to leave it at least, in milliseconds; null where no further try changes anything. */
  pauseAfter: (problem: Error) => number | null;
  isLastTry: boolean;
};

/**
 * `settled`: each was written to or can't be reached. `again`: some could not be reached yet. `shared`: another job has
 * some of them under way. `stopped`: the run is paused or has moved on, so that nobody else is to be written to.
 */
export type Delivered =
  | { state: 'settled'; failed: string[] }
  | { state: 'again'; waitMs: number }
  | { state: 'shared' }
  | { state: 'stopped' };

/**
 * Writes to each recipient that is not settled, one after the other. Each is claimed before and settled after: of any
 * number of jobs of this activation one writes to them. Where the process dies between the two, whoever takes the claim
 * over writes once more, since nobody knows whether the mail went out.
 */
export async function deliver(deps: DeliverDeps, delivery: Delivery): Promise<Delivered> {
  const { recipients } = delivery;
  let waitMs = 0;
  const done = new Set((await deliveriesOf(deps, delivery)).filter(isSettled).map(({ recipient }) => recipient));
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
  return { state: 'settled', failed: recipients.filter((recipient) => states.get(recipient) === 'failed') };
}

const isSettled = ({ state }: { state: string }): boolean => state === 'sent' || state === 'failed';

type Claim = { recipient: string; claim: string };

/** Answers how long to leave this one at least, in milliseconds. */
async function deliverOne(deps: DeliverDeps, delivery: Delivery, claim: Claim): Promise<number> {
  const { job, send, pauseAfter, isLastTry } = delivery;
  const beat = regularly(BEAT_MS, () => keep(deps, delivery, claim), deps.log);
  let problem: Error | null = null;
  try {
    await send(claim.recipient);
  } catch (error) {
    problem = error instanceof Error ? error : new Error('It could not be sent');
  } finally {
    await beat.stop();
  }
  const pause = problem === null || isLastTry ? null : pauseAfter(problem);
  if (pause !== null) deps.log.warn({ err: problem, runId: job.runId }, 'a message could not be sent yet');
  const state = problem === null ? 'sent' : pause === null ? 'failed' : 'waiting';
  await settle(deps, delivery, claim, state, problem?.message ?? null);
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

const keep = ({ db }: DeliverDeps, delivery: Delivery, claim: Claim): Promise<void> =>
  db.transaction({ orgId: delivery.job.orgId, userId: null }, async (tx) =>
    tx.write(keepClaim, { ...placeOf(delivery), ...claim }),
  );

const settle = (
  { db }: DeliverDeps,
  delivery: Delivery,
  claim: Claim,
  state: 'sent' | 'failed' | 'waiting',
  problem: string | null,
): Promise<void> =>
  db.transaction({ orgId: delivery.job.orgId, userId: null }, async (tx) =>
    tx.write(settleDelivery, { ...placeOf(delivery), ...claim, state, problem }),
  );
