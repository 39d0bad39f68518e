import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_PREFERENCES } from '@stet/domain/notifications';
import { assigneeKind } from '@stet/domain/workflows';
import { z } from 'zod';
import { leaveJobs } from '../../db/outbox.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
import { type SlackMessage, SlackProblem } from '../../kernel/slack.ts';
import { newsWording } from './news-wording.ts';
import { findConnection, saveProblem } from './slack-connections.sql.ts';
import {
  claimMessage,
  dropWaitingMessage,
  findSlackPace,
  findStepToTell,
  leaveRefreshJobs,
  settleMessage,
} from './slack.sql.ts';
import { plainMessage, stepMessage } from './step-message.ts';
import { type Connected, workspaceOf } from './workspace.ts';

const step = z.object({ kind: z.literal('step'), runId: z.uuid(), stepId: z.string(), activation: z.number().int() });
const call = z.object({
  kind: z.literal('call'),
  id: z.uuid(),
  assignee: z.string(),
  title: z.string(),
  workflow: z.string(),
});
const news = z.object({ kind: z.literal('news'), userId: z.uuid(), id: z.uuid() });
const digest = z.object({ kind: z.literal('digest'), userId: z.uuid(), id: z.uuid() });
const tellJob = z.object({
  orgId: z.uuid(),
  about: z.discriminatedUnion('kind', [step, call, news, digest]),
  /** How often it was tried in vain before. */
  attempt: z.number().int().default(0),
});
type TellJob = z.output<typeof tellJob>;
type ToTell = TellJob['about'];

/** How long to wait before each further try; the last of them again and again, for as long as the step waits. */
const TRY_AGAIN_MS = [1000, 5000, 30_000, 120_000, 600_000, 900_000];
/** After this a claim is that of a process that died: no try takes as long. */
const SILENT_SECONDS = 60;
/** For so long what became of a message is written down again and again, where the database doesn't take it: well within the claim. */
const SETTLING_MS = 45_000;

type TellDeps = Pick<Deps, 'db' | 'slack' | 'vault' | 'log' | 'publicUrl' | 'pokeOutbox'>;
type Wording = {
  assignee: string;
  title: string;
  workflow: string;
  to: (isForChannel: boolean) => SlackMessage;
  /** For that person alone, and never for the channel. */
  isPrivate?: boolean;
};

/** The job that tells of an activation, or of what a client asked to tell; any number of them send one message. */
export const tellInSlackJob = (orgId: string, about: ToTell) => ({
  task: 'tell_in_slack',
  payload: { orgId, about },
  key: `slack:${keyOf(about)}`,
});

/** The job of a message that waits, as it was kept with it. */
export function tellAgainJob(kept: unknown) {
  const { orgId, about } = tellJob.parse(kept);
  return tellInSlackJob(orgId, about);
}

export const keyOf = (about: ToTell): string =>
  about.kind === 'step' ? `step:${about.runId}:${about.activation}:${about.stepId}` : `${about.kind}:${about.id}`;

/** What is to be said; undefined where it is not to be said any more, or whoever it is for doesn't want it in Slack. */
async function wordingOf(tx: Tx, deps: TellDeps, job: TellJob): Promise<Wording | undefined> {
  const { orgId, about } = job;
  if (about.kind === 'news' || about.kind === 'digest') return newsWording(tx, deps.publicUrl, orgId, about);
  const row = about.kind === 'step' ? await tx.maybeOne(findStepToTell, { orgId, ...about }) : undefined;
  const wording = about.kind === 'call' ? callWording(deps, about) : row && stepWording(deps, orgId, about, row);
  if (!wording || assigneeKind(wording.assignee) !== 'email') return wording;
  const wanted = await tx.maybeOne(findSlackPace, { orgId, email: wording.assignee.trim(), news: 'assignments' });
  return (wanted?.pace ?? DEFAULT_PREFERENCES.assignments.slack) === 'at_once' ? wording : undefined;
}

/**
 * Sends one message to whom a step is assigned, else to the organization's channel. It is claimed before and settled after:
 * whatever makes the job come again, nobody is told twice, unless Slack took a message and could not say so, or the process
 * died before it was written down.
 */
export async function tellInSlack(deps: TellDeps, payload: unknown): Promise<void> {
  const job = tellJob.parse(payload);
  const { orgId, about } = job;
  const [claim, key] = [randomUUID(), keyOf(about)];
  const taken = await deps.db.transaction({ orgId, userId: null }, async (tx) => {
    const [connection, wording] = await Promise.all([tx.maybeOne(findConnection, { orgId }), wordingOf(tx, deps, job)]);
    if (!wording) tx.write(dropWaitingMessage, { orgId, key });
    if (!connection || !wording || isNobody(wording.assignee)) return null;
    const { assignee, title, workflow } = wording;
    const kept = JSON.stringify({ orgId, about });
    const values = { orgId, key, assignee, title, workflow, claim, job: kept, silentSeconds: SILENT_SECONDS };
    const claimed = await tx.maybeOne(claimMessage, values);
    return { connection, wording, state: claimed?.state ?? 'sending' };
  });
  if (!taken || taken.state === 'sent' || taken.state === 'failed') return;
  if (taken.state !== 'claimed') return comeAgain(deps, job, SILENT_SECONDS * 1000);

  const until = Date.now() + SETTLING_MS;
  const connected = workspaceOf(deps, orgId, taken.connection);
  const isOpen = connected !== null && taken.connection.problem === null;
  const outcome = isOpen ? await send(connected, taken.wording) : ENDED;
  await insistently(deps, until, () => settle(deps, job, claim, outcome));
}

/** Where a message is with Slack and the database doesn't know it, the next who claims it sends it once more. */
async function insistently({ log }: Pick<Deps, 'log'>, until: number, work: () => Promise<void>): Promise<void> {
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 4000)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() + pauseMs > until) throw error;
      log.warn({ err: error }, 'what became of a message to Slack could not be kept; trying again');
    }
    await sleep(pauseMs);
  }
}

type Outcome =
  | { state: 'sent'; channel: string; ts: string }
  | { state: 'failed'; problem: string }
  /** `waitMs` null: not before the organization connects anew, and where the token is to blame it is `tried`. */
  | { state: 'waiting'; problem: string; waitMs: number | null; tried?: string };
const ENDED: Outcome = { state: 'waiting', problem: 'not connected', waitMs: null };

async function send({ workspace, connection }: Connected, wording: Wording): Promise<Outcome> {
  try {
    const isEmail = assigneeKind(wording.assignee) === 'email';
    const person = isEmail ? await workspace.userIdOf(wording.assignee.trim().toLowerCase()) : null;
    const to = person ?? (wording.isPrivate ? null : connection.channel_id);
    if (to === null)
      return { state: 'failed', problem: 'Nobody of this name in Slack, and no channel to tell instead' };
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

async function settle(deps: TellDeps, job: TellJob, claim: string, outcome: Outcome): Promise<void> {
  const { orgId, about } = job;
  const again = outcome.state === 'waiting' && outcome.waitMs !== null ? outcome.waitMs : null;
  await deps.db.transaction({ orgId, userId: null }, async (tx) => {
    tx.write(settleMessage, {
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
    if (again !== null) leaveAgain(tx, job, again);
    // Whatever became of the step while Slack took the message found none to bring up to date.
    if (outcome.state === 'sent' && about.kind === 'step' && !(await tx.maybeOne(findStepToTell, { orgId, ...about })))
      tx.write(leaveRefreshJobs, { orgId, keys: [keyOf(about)] });
  });
  if (outcome.state !== 'sent') deps.log.warn({ problem: outcome.problem }, 'a message could not be sent to Slack');
  if (again !== null) deps.pokeOutbox();
}

function leaveAgain(tx: Parameters<typeof leaveJobs>[0], { orgId, about, attempt }: TellJob, waitMs: number): void {
  const pause = TRY_AGAIN_MS[Math.min(attempt, TRY_AGAIN_MS.length - 1)] ?? 0;
  const job = tellInSlackJob(orgId, about);
  leaveJobs(tx, [{ ...job, payload: { ...job.payload, attempt: attempt + 1 }, delayMs: Math.max(waitMs, pause) }]);
}

const comeAgain = ({ db }: TellDeps, job: TellJob, waitMs: number): Promise<void> =>
  db.transaction({ orgId: job.orgId, userId: null }, async (tx) => leaveAgain(tx, job, waitMs));

const isNobody = (assignee: string): boolean => ['none', 'system'].includes(assigneeKind(assignee));

const callWording = (
  { publicUrl }: TellDeps,
  { assignee, title, workflow }: Extract<ToTell, { kind: 'call' }>,
): Wording => ({
  assignee,
  title,
  workflow,
  to: () => plainMessage({ title, workflow, link: `${publicUrl}/app/tasks` }),
});

/** What is told of an activation that waits. */
export function stepWording(
  { publicUrl, slack }: Pick<TellDeps, 'publicUrl' | 'slack'>,
  orgId: string,
  { runId, stepId, activation }: Extract<ToTell, { kind: 'step' }>,
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
        canAct: slack?.hearsBack === true && !row.has_form,
        isForChannel,
      }),
  };
}
