import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_PREFERENCES } from '@stet/domain/notifications';
import { assigneeKind } from '@stet/domain/access';
import { z } from 'zod';
import { enqueueJobs } from '../../db/outbox.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
import { type SlackMessage, SlackProblem } from '../../kernel/slack.ts';
import { type Connected, findConnection, saveProblem, textMessage, workspaceOf } from '../integrations/index.ts';
import {
  claimMessage,
  dropWaitingMessage,
  enqueueUpdates,
  findActiveStep,
  findNotificationForSlack,
  findSlackPace,
  finishMessage,
  listDigestForSlack,
} from './slack.sql.ts';
import { digestMessage, plainMessage, stepMessage } from './slack-messages.ts';
import { notificationPage } from './wording.ts';

const step = z.object({ kind: z.literal('step'), runId: z.uuid(), stepId: z.string(), activation: z.number().int() });
const call = z.object({
  kind: z.literal('call'),
  id: z.uuid(),
  assignee: z.string(),
  title: z.string(),
  workflow: z.string(),
});
const personal = z.object({ kind: z.literal('news'), userId: z.uuid(), id: z.uuid() });
const digest = z.object({ kind: z.literal('digest'), userId: z.uuid(), id: z.uuid() });
const deliveryJob = z.object({
  orgId: z.uuid(),
  about: z.discriminatedUnion('kind', [step, call, personal, digest]),
  /** Number of failed attempts. */
  attempt: z.number().int().default(0),
});
type DeliveryJob = z.output<typeof deliveryJob>;
type ToDeliver = DeliveryJob['about'];

/**
 * The delays between retries, in milliseconds. The last one is repeated until the message is sent, refused or out of
 * date.
 */
const TRY_AGAIN_MS = [1000, 5000, 30_000, 120_000, 600_000, 900_000];
/** After this time, the process that made a claim must have died, because no attempt takes this long. */
const SILENT_SECONDS = 60;
/** How long the server retries saving an outcome while the database is down. This is shorter than a claim lasts. */
const FINISHING_MS = 45_000;

type DeliveryDeps = Pick<Deps, 'db' | 'slack' | 'vault' | 'log' | 'publicUrl' | 'pokeOutbox'>;
type Wording = {
  assignee: string;
  title: string;
  workflow: string;
  to: (isForChannel: boolean) => SlackMessage;
  /** True if the message is only for this person and must never be sent to the channel. */
  isPrivate?: boolean;
};

/** The job that sends one message to Slack. Because of its key, enqueueing it again creates no second job. */
export const slackJob = (orgId: string, about: ToDeliver) => ({
  task: 'tell_in_slack',
  payload: { orgId, about },
  key: `slack:${keyOf(about)}`,
});

export const keyOf = (about: ToDeliver): string =>
  about.kind === 'step' ? `step:${about.runId}:${about.activation}:${about.stepId}` : `${about.kind}:${about.id}`;

/** Writes the message. Undefined if it is out of date, or if its recipient doesn't want it in Slack. */
async function wordingOf(tx: Tx, deps: DeliveryDeps, job: DeliveryJob): Promise<Wording | undefined> {
  const { orgId, about } = job;
  if (about.kind === 'news' || about.kind === 'digest') return personalWording(tx, deps.publicUrl, orgId, about);
  const row = about.kind === 'step' ? await tx.maybeOne(findActiveStep, { orgId, ...about }) : undefined;
  const wording = about.kind === 'call' ? callWording(deps, about) : row && stepWording(deps, orgId, about, row);
  if (!wording || assigneeKind(wording.assignee) !== 'email') return wording;
  const wanted = await tx.maybeOne(findSlackPace, { orgId, email: wording.assignee.trim(), news: 'assignments' });
  return (wanted?.pace ?? DEFAULT_PREFERENCES.assignments.slack) === 'at_once' ? wording : undefined;
}

/**
 * Sends one message to its recipient, or to the organization's channel. The message is claimed before it is sent, and
 * its outcome is saved afterwards, so that nobody gets it twice, even if the job runs repeatedly. There are two
 * exceptions: Slack accepted the message but its response was lost, or the outcome couldn't be saved.
 */
export async function deliverToSlack(deps: DeliveryDeps, payload: unknown): Promise<void> {
  const job = deliveryJob.parse(payload);
  const { orgId, about } = job;
  const [claim, key] = [randomUUID(), keyOf(about)];
  const taken = await deps.db.transaction({ orgId, userId: null }, async (tx) => {
    const [connection, wording] = await Promise.all([tx.maybeOne(findConnection, { orgId }), wordingOf(tx, deps, job)]);
    if (!wording) tx.write(dropWaitingMessage, { orgId, key });
    if (!connection || !wording || isNobody(wording.assignee)) return null;
    const { assignee, title, workflow } = wording;
    const values = { orgId, key, assignee, title, workflow, claim, silentSeconds: SILENT_SECONDS };
    const claimed = await tx.maybeOne(claimMessage, { ...values, job: JSON.stringify({ orgId, about }) });
    return { connection, wording, state: claimed?.state ?? 'sending' };
  });
  if (!taken || taken.state === 'sent' || taken.state === 'failed') return;
  if (taken.state !== 'claimed') return deliverAgain(deps, job, SILENT_SECONDS * 1000);

  const until = Date.now() + FINISHING_MS;
  const connected = workspaceOf(deps, orgId, taken.connection);
  const isOpen = connected !== null && taken.connection.problem === null;
  const outcome = isOpen ? await send(connected, taken.wording) : ENDED;
  await retryUntil(deps, until, () => finish(deps, job, { claim, assignee: taken.wording.assignee }, outcome));
}

/**
 * Retries saving an outcome. If Slack has the message but the database doesn't record this, the next claim sends the
 * message again.
 */
async function retryUntil({ log }: Pick<Deps, 'log'>, until: number, work: () => Promise<void>): Promise<void> {
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 4000)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() + pauseMs > until) throw error;
      log.warn({ err: error }, 'could not save the outcome of a message to Slack; retrying');
    }
    await sleep(pauseMs);
  }
}

type Outcome =
  | { state: 'sent'; channel: string; ts: string }
  | { state: 'failed'; problem: string }
  /**
   * If `waitMs` is null, nothing is sent until the organization reconnects. `tried` is the token, if it caused the
   * problem.
   */
  | { state: 'waiting'; problem: string; waitMs: number | null; tried?: string };
const ENDED: Outcome = { state: 'waiting', problem: 'not connected', waitMs: null };

async function send({ workspace, connection }: Connected, wording: Wording): Promise<Outcome> {
  try {
    const isEmail = assigneeKind(wording.assignee) === 'email';
    const person = isEmail ? await workspace.userIdOf(wording.assignee.trim().toLowerCase()) : null;
    const to = person ?? (wording.isPrivate ? null : connection.channel_id);
    if (to === null) return { state: 'failed', problem: 'Nobody in Slack has this address, and no channel is set up' };
    return { state: 'sent', ...(await workspace.post(to, wording.to(person === null))) };
  } catch (error) {
    if (!(error instanceof SlackProblem)) throw error;
    const { failure, message: problem } = error;
    if (failure.kind === 'later') return { state: 'waiting', problem, waitMs: failure.waitMs };
    if (failure.kind === 'ended')
      return { state: 'waiting', problem: failure.code, waitMs: null, tried: connection.sealed_token };
    return { state: 'failed', problem };
  }
}

async function finish(
  deps: DeliveryDeps,
  job: DeliveryJob,
  { claim, assignee }: { claim: string; assignee: string },
  outcome: Outcome,
): Promise<void> {
  const { orgId, about } = job;
  const again = outcome.state === 'waiting' && outcome.waitMs !== null ? outcome.waitMs : null;
  await deps.db.transaction({ orgId, userId: null }, async (tx) => {
    tx.write(finishMessage, {
      orgId,
      key: keyOf(about),
      claim,
      state: outcome.state,
      channelId: outcome.state === 'sent' ? outcome.channel : null,
      ts: outcome.state === 'sent' ? outcome.ts : null,
      problem: outcome.state === 'sent' ? null : outcome.problem,
    });
    if (outcome.state === 'waiting' && outcome.tried !== undefined) {
      tx.write(saveProblem, { orgId, tried: outcome.tried, problem: outcome.problem });
      tx.announce([{ subject: 'integration', id: 'slack' }]);
    }
    if (again !== null) enqueueAgain(tx, job, again);
    // If the step changed during the call to Slack, there was no message to update yet.
    if (outcome.state !== 'sent' || about.kind !== 'step') return;
    const now = await tx.maybeOne(findActiveStep, { orgId, ...about });
    if (now?.assignee !== assignee) tx.write(enqueueUpdates, { orgId, keys: [keyOf(about)] });
  });
  if (outcome.state !== 'sent') deps.log.warn({ problem: outcome.problem }, 'could not send a message to Slack');
  if (again !== null) deps.pokeOutbox();
}

function enqueueAgain(
  tx: Parameters<typeof enqueueJobs>[0],
  { orgId, about, attempt }: DeliveryJob,
  waitMs: number,
): void {
  const pause = TRY_AGAIN_MS[Math.min(attempt, TRY_AGAIN_MS.length - 1)] ?? 0;
  const job = slackJob(orgId, about);
  enqueueJobs(tx, [{ ...job, payload: { ...job.payload, attempt: attempt + 1 }, delayMs: Math.max(waitMs, pause) }]);
}

const deliverAgain = ({ db }: DeliveryDeps, job: DeliveryJob, waitMs: number): Promise<void> =>
  db.transaction({ orgId: job.orgId, userId: null }, async (tx) => enqueueAgain(tx, job, waitMs));

const isNobody = (assignee: string): boolean => ['none', 'system'].includes(assigneeKind(assignee));

/** The message for a person's notification or digest. */
async function personalWording(
  tx: Tx,
  publicUrl: string,
  orgId: string,
  { kind, userId, id }: Extract<ToDeliver, { kind: 'news' | 'digest' }>,
): Promise<Wording | undefined> {
  if (kind === 'news') {
    const found = await tx.maybeOne(findNotificationForSlack, { orgId, userId, id });
    if (!found) return undefined;
    const { email: assignee, title, body: text } = found;
    const { url: link } = notificationPage(publicUrl, found);
    return { assignee, title, workflow: '', isPrivate: true, to: () => textMessage({ title, text, link }) };
  }
  const items = await tx.many(listDigestForSlack, { orgId, userId, id });
  const [first] = items;
  if (!first) return undefined;
  const links = items.map(({ title, ...about }) => ({ title, url: notificationPage(publicUrl, about).url }));
  const to = () => digestMessage({ items: links, link: `${publicUrl}/app` });
  return { assignee: first.email, title: 'Daily digest', workflow: '', isPrivate: true, to };
}

const callWording = (
  { publicUrl }: DeliveryDeps,
  { assignee, title, workflow }: Extract<ToDeliver, { kind: 'call' }>,
): Wording => ({
  assignee,
  title,
  workflow,
  to: () => plainMessage({ title, workflow, link: `${publicUrl}/app/tasks` }),
});

/** The message about a step that is waiting. */
export function stepWording(
  { publicUrl, slack }: Pick<DeliveryDeps, 'publicUrl' | 'slack'>,
  orgId: string,
  { runId, stepId, activation }: Extract<ToDeliver, { kind: 'step' }>,
  row: {
    assignee: string;
    title: string;
    type: string;
    due_at: Date | null;
    run_name: string;
    workflow_title: string;
    has_form: boolean;
  },
): Wording {
  const { assignee, title, type, workflow_title: workflow } = row;
  return {
    assignee,
    title,
    workflow,
    to: (isForChannel) =>
      stepMessage({
        title,
        type,
        due: row.due_at,
        run: row.run_name,
        workflow,
        assignee,
        link: `${publicUrl}/app/runs/${runId}`,
        about: { o: orgId, r: runId, s: stepId, a: activation },
        canAct: slack?.receivesActions === true && !row.has_form,
        isForChannel,
      }),
  };
}
