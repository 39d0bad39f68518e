import {
  cutText,
  type NotificationChannel,
  type NotificationStep,
  STEP_DEFAULTS,
  renderTemplate,
} from '@stet/domain/workflows';
import { type Notice, leaveNotices } from '../../../db/notices.ts';
import { leaveJobs } from '../../../db/outbox.ts';
import type { Deps } from '../../../kernel/deps.ts';
import { type Letter, type Mailer, isRefusedForGood } from '../../../kernel/mail.ts';
import { SlackProblem } from '../../../kernel/slack.ts';
import { slackSender } from '../../integrations/reads.ts';
import { reportStep } from '../report-step.ts';
import { stepJobKey } from '../step-jobs.ts';
import type { StepJob, Work } from './active-step.ts';
import { listRecipients } from './carry-out.sql.ts';
import { type Delivered, deliver } from './deliver.ts';
import { messageLetter } from './message.mail.ts';
import { type Addressee, addresseesOf, namedRecipients } from './recipients.ts';
import { seenByScripts } from './seen-by-scripts.ts';

/** How long to wait before each further try; after the last one the recipient counts as not reachable. */
const TRY_AGAIN_MS = [10_000, 60_000, 300_000, 900_000];
/** After this, what another job has under way is settled, or it is dead and its claims are free. */
const SHARED_MS = 10_000;
const LONGEST_TEXT = 20_000;

type SendDeps = Pick<Deps, 'db' | 'log' | 'publicUrl' | 'pokeOutbox' | 'slack' | 'vault'>;
type NotificationWork = Work<NotificationStep>;

/**
 * Sends a step's message to all that it names and then completes the step, whoever could not be reached: they are listed.
 * Within the application it arrives together with the completion. Mails are sent one by one; whoever got one gets
 * no second one, whatever makes the job come again.
 */
export async function sendNotification(deps: SendDeps, mailer: Mailer, work: NotificationWork): Promise<void> {
  const { job, step } = work;
  const { recipients = [], template = '' } = step.config;
  const channels: readonly NotificationChannel[] = step.config.channels ?? STEP_DEFAULTS.notification.config.channels;
  const whom = namedRecipients(recipients);
  const addressees = await lookUp(deps, job.orgId, whom);
  const text = textOf(template, work);

  const outcomes = [
    ...(channels.includes('email') ? [await mailTo(deps, mailer, work, addressees, text)] : []),
    ...(channels.includes('slack') ? [await slackTo(deps, work, addressees, text)] : []),
  ];
  if (outcomes.some(({ state }) => state === 'stopped')) return;
  const again = outcomes.flatMap((outcome) => (outcome.state === 'again' ? [outcome.waitMs] : []));
  if (again.length > 0) {
    const delayMs = Math.max(TRY_AGAIN_MS[job.attempt] ?? 0, ...again);
    return comeAgain(deps, { ...job, attempt: job.attempt + 1 }, delayMs);
  }
  if (outcomes.some(({ state }) => state === 'shared')) return comeAgain(deps, job, SHARED_MS);
  const undeliverable = [
    ...whom.unknown,
    ...outcomes.flatMap((outcome) => (outcome.state === 'settled' ? outcome.failed : [])),
    ...outsidersOf(channels, addressees),
  ];
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
  return cutText(renderTemplate(template, values, stepIds), LONGEST_TEXT);
}

async function lookUp(
  { db }: SendDeps,
  orgId: string,
  { emails, roles }: { emails: string[]; roles: string[] },
): Promise<Addressee[]> {
  const members = await db.transaction({ orgId, userId: null }, (tx) =>
    tx.many(listRecipients, { orgId, emails, roles }),
  );
  return addresseesOf(emails, members);
}

/** Who is no member, and so can't be told within the application. */
const outsidersOf = (channels: readonly NotificationChannel[], addressees: readonly Addressee[]): string[] =>
  channels.includes('in-app')
    ? addressees.filter(({ userId }) => userId === null).map(({ email }) => `${email} (in-app)`)
    : [];

const isLastTry = ({ attempt }: StepJob): boolean => attempt >= TRY_AGAIN_MS.length;

/** Whom a channel doesn't reach, by name and channel. */
const named = (outcome: Delivered, channel: string): Delivered =>
  outcome.state === 'settled' ? { ...outcome, failed: outcome.failed.map((who) => `${who} (${channel})`) } : outcome;

async function mailTo(
  deps: SendDeps,
  mailer: Mailer,
  work: NotificationWork,
  addressees: readonly Addressee[],
  text: string,
): Promise<Delivered> {
  const letterTo = letters(deps, work, addressees, text);
  const outcome = await deliver(deps, {
    job: work.job,
    channel: 'email',
    recipients: addressees.map(({ email }) => email),
    send: (email) => mailer.send(letterTo(email)),
    pauseAfter: (problem) => (isRefusedForGood(problem) ? null : 0),
    isLastTry: isLastTry(work.job),
  });
  return named(outcome, 'email');
}

async function slackTo(
  deps: SendDeps,
  { job, run, step }: NotificationWork,
  addressees: readonly Addressee[],
  text: string,
): Promise<Delivered> {
  const recipients = addressees.map(({ email }) => email);
  const send = await slackSender(deps, job.orgId);
  if (!send) return named({ state: 'settled', failed: recipients }, 'slack');
  const message = { title: `${step.title}: ${run.name}`, text, link: `${deps.publicUrl}/app/runs/${job.runId}` };
  const outcome = await deliver(deps, {
    job,
    channel: 'slack',
    recipients,
    send: async (email) => {
      if (!(await send(email, message))) throw new NotInSlack('Nobody in Slack has this address');
    },
    pauseAfter: (problem) =>
      problem instanceof SlackProblem && problem.failure.kind === 'later' ? problem.failure.waitMs : null,
    isLastTry: isLastTry(job),
  });
  return named(outcome, 'slack');
}

class NotInSlack extends Error {}

function letters(
  { publicUrl }: SendDeps,
  { job, run, step }: NotificationWork,
  addressees: readonly Addressee[],
  text: string,
): (email: string) => Letter {
  const names = new Map(addressees.map(({ email, name }) => [email, name]));
  const about = { text, step: step.title, run: run.name, workflow: run.workflow_title };
  const link = `${publicUrl}/app/runs/${job.runId}`;
  return (email) => messageLetter({ name: names.get(email) ?? email, email, ...about, link });
}

async function comeAgain({ db, pokeOutbox }: SendDeps, job: StepJob, delayMs: number): Promise<void> {
  await db.transaction({ orgId: job.orgId, userId: null }, async (tx) =>
    leaveJobs(tx, [{ task: 'carry_out_message', payload: job, key: stepJobKey(job), turnOf: job.orgId, delayMs }]),
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
