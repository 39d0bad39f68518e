import { type NotificationChannel, type NotificationStep, STEP_DEFAULTS, renderTemplate } from '@stet/domain/workflows';
import { type Notice, leaveNotices } from '../../../db/notices.ts';
import { leaveJobs } from '../../../db/outbox.ts';
import type { Deps } from '../../../kernel/deps.ts';
import { type Mailer, isRefusedForGood } from '../../../kernel/mail.ts';
import { reportStep } from '../report-step.ts';
import { stepJobKey } from '../step-jobs.ts';
import type { Work } from './active-step.ts';
import { keepDelivery, listDeliveries, listRecipients } from './carry-out.sql.ts';
import { messageLetter } from './message.mail.ts';
import { type Addressee, addresseesOf, namedRecipients } from './recipients.ts';
import { seenByScripts } from './seen-by-scripts.ts';

/** How long to wait before each further try; after the last one the recipient counts as not reachable. */
const TRY_AGAIN_MS = [10_000, 60_000, 300_000, 900_000];
const LONGEST_TEXT = 20_000;

type SendDeps = Pick<Deps, 'db' | 'log' | 'publicUrl' | 'pokeOutbox'>;
type NotificationWork = Work<NotificationStep>;

/**
 * Sends a step's message to all that it names and then completes the step, whoever could not be reached: they are listed.
 * Within the application it arrives together with the completion. Mails are sent one by one and ticked off, so that a
 * second try does not reach anyone a second time, save where the process dies between the two.
 */
export async function sendNotification(deps: SendDeps, mailer: Mailer, work: NotificationWork): Promise<void> {
  const { job, step } = work;
  const { recipients = [], template = '', channels = STEP_DEFAULTS.notification.config.channels } = step.config;
  const named = namedRecipients(recipients);
  const { addressees, settled } = await lookUp(deps, work, named);
  const text = textOf(template, work);

  const undeliverable = [...named.unknown, ...unreachable(channels, addressees)];
  if (channels.includes('email')) {
    const mailed = await mailAll(deps, mailer, work, { addressees, settled, text });
    if (mailed.isUnfinished) return tryAgain(deps, work);
    undeliverable.push(...mailed.failed.map((email) => `${email} (email)`));
  }
  await reportStep(deps, {
    orgId: job.orgId,
    runId: job.runId,
    command: { type: 'finish_notification', stepId: job.stepId, activation: job.activation, undeliverable },
    alongside: (tx) => {
      if (channels.includes('in-app')) leaveNotices(tx, job.orgId, [noticeOf(work, text, addressees)]);
    },
  });
}

/** What the message says, of what scripts and conditions see as well. */
function textOf(template: string, work: NotificationWork): string {
  const { run, step, outputs } = seenByScripts(work);
  const values = { run, step: { ...step, title: work.step.title }, outputs };
  const stepIds = new Set(work.run.steps.map(({ id }) => id));
  return renderTemplate(template, values, stepIds).slice(0, LONGEST_TEXT);
}

async function lookUp(
  { db }: SendDeps,
  { job: { orgId, runId, stepId, activation } }: NotificationWork,
  { emails, roles }: { emails: string[]; roles: string[] },
) {
  const [members, deliveries] = await db.transaction({ orgId, userId: null }, (tx) =>
    Promise.all([
      tx.many(listRecipients, { orgId, emails, roles }),
      tx.many(listDeliveries, { orgId, runId, stepId, activation }),
    ]),
  );
  const settled = new Map(
    deliveries.filter(({ channel }) => channel === 'email').map(({ recipient, state }) => [recipient, state]),
  );
  return { addressees: addresseesOf(emails, members), settled };
}

/** Who can't be reached over the channels that are asked for, whatever is tried. */
function unreachable(channels: readonly NotificationChannel[], addressees: readonly Addressee[]): string[] {
  const outsiders = addressees.filter(({ userId }) => userId === null);
  return [
    // Nobody is connected to Slack.
    ...(channels.includes('slack') ? addressees.map(({ email }) => `${email} (slack)`) : []),
    ...(channels.includes('in-app') ? outsiders.map(({ email }) => `${email} (in-app)`) : []),
  ];
}

type Mailing = { addressees: readonly Addressee[]; settled: ReadonlyMap<string, 'sent' | 'failed'>; text: string };

async function mailAll(
  deps: SendDeps,
  mailer: Mailer,
  work: NotificationWork,
  { addressees, settled, text }: Mailing,
): Promise<{ failed: string[]; isUnfinished: boolean }> {
  const { job, run, step } = work;
  const isLastTry = job.attempt >= TRY_AGAIN_MS.length;
  const failed = addressees.filter(({ email }) => settled.get(email) === 'failed').map(({ email }) => email);
  let isUnfinished = false;
  for (const { email, name } of addressees) {
    if (settled.has(email)) continue;
    const letter = { name, email, text, step: step.title, run: run.name, workflow: run.workflow_title };
    try {
      await mailer.send(messageLetter({ ...letter, link: `${deps.publicUrl}/app/runs/${job.runId}` }));
      await keep(deps, work, email, null);
    } catch (error) {
      if (!isLastTry && !isRefusedForGood(error)) {
        deps.log.warn({ err: error, runId: job.runId }, 'a message could not be sent yet');
        isUnfinished = true;
        continue;
      }
      failed.push(email);
      await keep(deps, work, email, error instanceof Error ? error.message : String(error));
    }
  }
  return { failed, isUnfinished };
}

async function keep(
  { db }: SendDeps,
  { job }: NotificationWork,
  recipient: string,
  problem: string | null,
): Promise<void> {
  const { orgId, runId, stepId, activation } = job;
  const state = problem === null ? 'sent' : 'failed';
  await db.transaction({ orgId, userId: null }, async (tx) =>
    tx.write(keepDelivery, { orgId, runId, stepId, activation, channel: 'email', recipient, state, problem }),
  );
}

async function tryAgain({ db, pokeOutbox }: SendDeps, { job }: NotificationWork): Promise<void> {
  const again = { ...job, attempt: job.attempt + 1 };
  const delayMs = TRY_AGAIN_MS[job.attempt] ?? 0;
  await db.transaction({ orgId: job.orgId, userId: null }, async (tx) =>
    leaveJobs(tx, [{ task: 'carry_out_step', payload: again, key: stepJobKey(job), delayMs }]),
  );
  pokeOutbox();
}

const noticeOf = ({ job, run, step }: NotificationWork, text: string, addressees: readonly Addressee[]): Notice => ({
  source: `message:${job.runId}:${job.activation}:${job.stepId}`,
  kind: 'message',
  title: `${step.title}: ${run.name}`,
  body: text,
  runId: job.runId,
  stepId: job.stepId,
  to: { userIds: addressees.flatMap(({ userId }) => userId ?? []) },
});
