import { randomUUID } from 'node:crypto';
import type { Deps } from '../../../kernel/deps.ts';
import { type Letter, type Mailer, isRefusedForGood } from '../../../kernel/mail.ts';
import { regularly } from '../../../kernel/regularly.ts';
import type { StepJob } from './active-step.ts';
import { claimDelivery, keepClaim, listDeliveries, settleDelivery } from './carry-out.sql.ts';

/** Nothing was heard of a sender for so long: it is dead. As long as a node's jobs wait for it to come back. */
const SILENT_MS = 15_000;
const BEAT_MS = 3000;

type MailDeps = Pick<Deps, 'db' | 'log'>;
type Mailing = { job: StepJob; emails: readonly string[]; letterTo: (email: string) => Letter; isLastTry: boolean };

/**
 * `settled`: each was written to or can't be reached. `again`: some could not be reached yet. `shared`: another job has
 * some of them under way. `stopped`: the run is paused or has moved on, so that nobody else is to be written to.
 */
export type Mailed =
  | { state: 'settled'; failed: string[] }
  | { state: 'again' }
  | { state: 'shared' }
  | { state: 'stopped' };

/**
 * Writes to each recipient that is not settled, one after the other. Each is claimed before and settled after: of any
 * number of jobs of this activation one writes to them. Where the process dies between the two, whoever takes the claim
 * over writes once more, since nobody knows whether the mail went out.
 */
export async function mailRecipients(deps: MailDeps, mailer: Mailer, mailing: Mailing): Promise<Mailed> {
  const { job, emails } = mailing;
  const done = new Set((await deliveriesOf(deps, job)).filter(isSettled).map(({ recipient }) => recipient));
  for (const email of emails) {
    if (done.has(email)) continue;
    const claim = randomUUID();
    const { isWanted, isClaimed } = await claimed(deps, job, email, claim);
    if (!isWanted) return { state: 'stopped' };
    if (isClaimed) await mailOne(deps, mailer, mailing, { email, claim });
  }
  const states = new Map((await deliveriesOf(deps, job)).map(({ recipient, state }) => [recipient, state]));
  const left = emails.map((email) => states.get(email));
  if (left.includes('waiting')) return { state: 'again' };
  if (left.some((state) => state === undefined || state === 'sending')) return { state: 'shared' };
  return { state: 'settled', failed: emails.filter((email) => states.get(email) === 'failed') };
}

const isSettled = ({ state }: { state: string }): boolean => state === 'sent' || state === 'failed';

type Claim = { email: string; claim: string };

async function mailOne(
  deps: MailDeps,
  mailer: Mailer,
  { job, letterTo, isLastTry }: Mailing,
  { email, claim }: Claim,
): Promise<void> {
  const beat = regularly(BEAT_MS, () => keep(deps, job, { email, claim }), deps.log);
  let problem: Error | null = null;
  try {
    await mailer.send(letterTo(email));
  } catch (error) {
    problem = error instanceof Error ? error : new Error('It could not be sent');
  } finally {
    await beat.stop();
  }
  const isForGood = problem !== null && (isLastTry || isRefusedForGood(problem));
  if (problem !== null && !isForGood)
    deps.log.warn({ err: problem, runId: job.runId }, 'a message could not be sent yet');
  const state = problem === null ? 'sent' : isForGood ? 'failed' : 'waiting';
  await settle(deps, job, { email, claim }, state, problem?.message ?? null);
}

const activationOf = ({ orgId, runId, stepId, activation }: StepJob) => ({ orgId, runId, stepId, activation });

const deliveriesOf = ({ db }: MailDeps, job: StepJob) =>
  db.transaction({ orgId: job.orgId, userId: null }, (tx) => tx.many(listDeliveries, activationOf(job)));

async function claimed({ db }: MailDeps, job: StepJob, recipient: string, claim: string) {
  const row = await db.transaction({ orgId: job.orgId, userId: null }, (tx) =>
    tx.maybeOne(claimDelivery, { ...activationOf(job), recipient, claim, silentMs: SILENT_MS }),
  );
  return { isWanted: row?.is_wanted ?? false, isClaimed: row?.is_claimed ?? false };
}

const keep = ({ db }: MailDeps, job: StepJob, { email, claim }: Claim): Promise<void> =>
  db.transaction({ orgId: job.orgId, userId: null }, async (tx) =>
    tx.write(keepClaim, { ...activationOf(job), recipient: email, claim }),
  );

const settle = (
  { db }: MailDeps,
  job: StepJob,
  { email, claim }: Claim,
  state: 'sent' | 'failed' | 'waiting',
  problem: string | null,
): Promise<void> =>
  db.transaction({ orgId: job.orgId, userId: null }, async (tx) =>
    tx.write(settleDelivery, { ...activationOf(job), recipient: email, claim, state, problem }),
  );
