import { ORG_ROLES, addressesOf, assignedOrgRole, isAmong, isEmail, spellingsOf } from '@stet/domain/access';
import { type NotificationChannel, type NotificationStep, STEP_KINDS } from '@stet/domain/steps';
import { cutText, renderTemplate } from '@stet/domain/workflows';
import type { Deps } from '../../../kernel/deps.ts';
import { type Letter, type Mailer, isRefusedForGood } from '../../../kernel/mail.ts';
import { SlackProblem } from '../../../kernel/slack.ts';
import { slackSender } from '../../integrations/index.ts';
import type { Executed, Executor, StepJob, Work } from './active-step.ts';
import { listRecipients } from './execution.sql.ts';
import { type Delivered, deliver } from './deliver.ts';
import { messageLetter } from './message.mail.ts';
import { scriptInput } from './script-input.ts';

/** The delay before each retry, in milliseconds. If the last retry fails, the recipient counts as unreachable. */
const TRY_AGAIN_MS = [10_000, 60_000, 300_000, 900_000];
/** The delay before checking again whether another job has finished sending. */
const SHARED_MS = 10_000;
const LONGEST_TEXT = 20_000;

type SendDeps = Pick<Deps, 'db' | 'log' | 'publicUrl' | 'slack' | 'vault'> & { mailer: Mailer };
type NotificationWork = Work<NotificationStep>;
type Member = {
  id: string;
  email: string;
  former_emails: readonly string[];
  name: string;
  role: string;
  is_disabled: boolean;
};
/** `named`: all addresses by which the step can name this person. */
type Addressee = { email: string; named: readonly string[]; name: string; userId: string | null; isDisabled: boolean };

/**
 * Sends the message of a step to everyone it names, and then completes the step. The step's report lists people who
 * couldn't be reached, but they don't prevent the completion. Disabled accounts get only the in-app message, which
 * appears when the step is completed. Each email or Slack message is sent separately. Nobody gets a second one, unless
 * a process dies while sending it, or the response to it is lost.
 */
async function sendMessage(deps: SendDeps, work: NotificationWork): Promise<Executed> {
  const { job, step } = work;
  const { recipients = [], template = '' } = step.config;
  const channels: readonly NotificationChannel[] =
    step.config.channels ?? STEP_KINDS.notification.defaults.config.channels;
  const whom = namedRecipients(recipients);
  const addressees = await lookUp(deps, job.orgId, whom);
  const enabled = addressees.filter(({ isDisabled }) => !isDisabled);
  const text = textOf(template, work, await namesOfPeople(deps, work));

  const outcomes = [
    ...(channels.includes('email') ? [await mailTo(deps, work, enabled, text)] : []),
    ...(channels.includes('slack') ? [await slackTo(deps, work, enabled, text)] : []),
  ];
  if (outcomes.some(({ state }) => state === 'stopped')) return null;
  const again = outcomes.flatMap((outcome) => (outcome.state === 'again' ? [outcome.waitMs] : []));
  if (again.length > 0) {
    const delayMs = Math.max(TRY_AGAIN_MS[job.attempt] ?? 0, ...again);
    return { again: { ...job, attempt: job.attempt + 1 }, delayMs };
  }
  if (outcomes.some(({ state }) => state === 'shared')) return { again: job, delayMs: SHARED_MS };
  const undeliverable = [
    ...whom.unknown,
    ...(channels.some((channel) => channel !== 'in-app') ? disabledAmong(addressees) : []),
    ...outcomes.flatMap((outcome) => (outcome.state === 'finished' ? outcome.failed : [])),
    ...outsidersOf(channels, addressees),
  ];
  const { stepId, activation } = job;
  return {
    command: { type: 'finish_step', stepId, activation, report: { kind: 'notification', undeliverable }, output: null },
    ...(channels.includes('in-app') && {
      message: { text, userIds: addressees.flatMap(({ userId }) => userId ?? []) },
    }),
  };
}

/**
 * Fills the template with the same data that scripts and conditions use, except that members in forms are shown by
 * their names.
 */
function textOf(template: string, work: NotificationWork, names: ReadonlyMap<string, string>): string {
  const { run, step, outputs } = scriptInput(work);
  const shown = names.size === 0 ? outputs : structuredClone(outputs);
  for (const { values: fields, id, address } of peopleIn(work, shown)) fields[id] = names.get(address) ?? address;
  const values = { run, step: { ...step, title: work.step.title }, outputs: shown };
  const stepIds = new Set(work.run.steps.map(({ id }) => id));
  return cutText(renderTemplate(template, values, stepIds), LONGEST_TEXT);
}

type PersonValue = { values: Record<string, unknown>; id: string; address: string };

/** Returns the people named in the forms of completed steps. `values` is the form's object of field values. */
function peopleIn({ run }: NotificationWork, outputs: Readonly<Record<string, unknown>>): PersonValue[] {
  return run.steps.flatMap((step) => {
    const people = step.type === 'manual' ? (step.config.fields ?? []).filter(({ kind }) => kind === 'person') : [];
    const values = (outputs[step.id] as { fields?: Record<string, unknown> } | undefined)?.fields ?? {};
    return people.flatMap(({ id }) => {
      const address = values[id];
      return typeof address === 'string' ? [{ values, id, address }] : [];
    });
  });
}

async function namesOfPeople(deps: SendDeps, work: NotificationWork): Promise<Map<string, string>> {
  const addresses = peopleIn(work, scriptInput(work).outputs).map(({ address }) => address);
  if (addresses.length === 0) return new Map();
  const members = await lookUp(deps, work.job.orgId, { emails: addresses, roles: [] });
  return new Map(
    addresses.flatMap((address) => {
      const name = members.find(({ named }) => isAmong(spellingsOf(address), named))?.name;
      return name === undefined ? [] : [[address, name] as const];
    }),
  );
}

async function lookUp(
  { db }: SendDeps,
  orgId: string,
  { emails, roles }: { emails: string[]; roles: string[] },
): Promise<Addressee[]> {
  const members = await db.transaction({ orgId, userId: null }, (tx) =>
    tx.many(listRecipients, { orgId, emails: emails.flatMap(spellingsOf), roles }),
  );
  return addresseesOf(emails, members);
}

/** Returns the recipients who can't be notified in the application because they aren't members. */
const outsidersOf = (channels: readonly NotificationChannel[], addressees: readonly Addressee[]): string[] =>
  channels.includes('in-app')
    ? addressees.filter(({ userId }) => userId === null).map(({ email }) => `${email} (in-app)`)
    : [];

const disabledAmong = (addressees: readonly Addressee[]): string[] =>
  addressees.filter(({ isDisabled }) => isDisabled).map(({ email }) => `${email} (account disabled)`);

const isLastTry = ({ attempt }: StepJob): boolean => attempt >= TRY_AGAIN_MS.length;

/** Adds the channel's name to the recipients that couldn't be reached. */
const named = (outcome: Delivered, channel: string): Delivered =>
  outcome.state === 'finished' ? { ...outcome, failed: outcome.failed.map((who) => `${who} (${channel})`) } : outcome;

async function mailTo(
  deps: SendDeps,
  work: NotificationWork,
  addressees: readonly Addressee[],
  text: string,
): Promise<Delivered> {
  const letterTo = letters(deps, work, addressees, text);
  const outcome = await deliver(deps, {
    job: work.job,
    channel: 'email',
    recipients: addressees.map(({ email }) => email),
    send: (email) => deps.mailer.send(letterTo(email)),
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
  if (!send) return named({ state: 'finished', failed: recipients }, 'slack');
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

export const notification: Executor<NotificationStep> = { execute: sendMessage };

/** Splits the recipients of a step into emails in lower case, roles, and invalid entries. */
function namedRecipients(recipients: readonly string[]): {
  emails: string[];
  roles: string[];
  unknown: string[];
} {
  const named = [...new Set(recipients.map((text) => text.trim()).filter((text) => text !== ''))];
  const roles = new Set(named.flatMap((text) => assignedOrgRole(text) ?? []));
  const others = named.filter((text) => assignedOrgRole(text) === null);
  return {
    emails: [...new Set(others.filter(isEmail).map((text) => text.toLowerCase()))],
    roles: ORG_ROLES.filter((role) => roles.has(role)),
    unknown: others.filter((text) => !isEmail(text)),
  };
}

/** Each recipient once: the members that were found, and the emails that don't belong to a member. */
function addresseesOf(emails: readonly string[], members: readonly Member[]): Addressee[] {
  const found = members.map(({ id: userId, email, former_emails: formerEmails, name, is_disabled: isDisabled }) => {
    const named = addressesOf({ email, formerEmails });
    return { userId, email, named, name, isDisabled };
  });
  const known = found.flatMap(({ named }) => named);
  return [
    ...found,
    ...emails
      .filter((email) => !isAmong(spellingsOf(email), known))
      .map((email) => ({ userId: null, email, named: [email], name: email, isDisabled: false })),
  ];
}
