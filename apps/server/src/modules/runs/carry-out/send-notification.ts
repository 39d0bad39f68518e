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
import type { Letter, Mailer } from '../../../kernel/mail.ts';
import { reportStep } from '../report-step.ts';
import { stepJobKey } from '../step-jobs.ts';
import type { StepJob, Work } from './active-step.ts';
import { listRecipients } from './carry-out.sql.ts';
import { mailRecipients } from './mail-recipients.ts';
import { messageLetter } from './message.mail.ts';
import { type Addressee, addresseesOf, namedRecipients } from './recipients.ts';
import { seenByScripts } from './seen-by-scripts.ts';

/** How long to wait before each further try; after the last one the recipient counts as not reachable. */
const TRY_AGAIN_MS = [10_000, 60_000, 300_000, 900_000];
/** After this, what another job has under way is settled, or it is dead and its claims are free. */
const SHARED_MS = 10_000;
const LONGEST_TEXT = 20_000;

type SendDeps = Pick<Deps, 'db' | 'log' | 'publicUrl' | 'pokeOutbox'>;
type NotificationWork = Work<NotificationStep>;

/**
 * Sends a step's message to all that it names and then completes the step, whoever could not be reached: they are listed.
 * Within the application it arrives together with the completion. Mails are sent one by one; whoever got one gets
 * no second one, whatever makes the job come again.
 */
export async function sendNotification(deps: SendDeps, mailer: Mailer, work: NotificationWork): Promise<void> {
  const { job, step } = work;
  const { recipients = [], template = '', channels = STEP_DEFAULTS.notification.config.channels } = step.config;
  const named = namedRecipients(recipients);
  const addressees = await lookUp(deps, job.orgId, named);
  const text = textOf(template, work);

  const undeliverable = [...named.unknown, ...unreachable(channels, addressees)];
  if (channels.includes('email')) {
    const mailed = await mailRecipients(deps, mailer, {
      job,
      emails: addressees.map(({ email }) => email),
      letterTo: letters(deps, work, addressees, text),
      isLastTry: job.attempt >= TRY_AGAIN_MS.length,
    });
    if (mailed.state === 'stopped') return;
    if (mailed.state === 'shared') return comeAgain(deps, job, SHARED_MS);
    if (mailed.state === 'again')
      return comeAgain(deps, { ...job, attempt: job.attempt + 1 }, TRY_AGAIN_MS[job.attempt] ?? 0);
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

/** Who can't be reached over the channels that are asked for, whatever is tried. */
function unreachable(channels: readonly NotificationChannel[], addressees: readonly Addressee[]): string[] {
  const outsiders = addressees.filter(({ userId }) => userId === null);
  return [
    // Nobody is connected to Slack.
    ...(channels.includes('slack') ? addressees.map(({ email }) => `${email} (slack)`) : []),
    ...(channels.includes('in-app') ? outsiders.map(({ email }) => `${email} (in-app)`) : []),
  ];
}

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
