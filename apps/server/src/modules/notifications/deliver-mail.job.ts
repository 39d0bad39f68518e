import { z } from 'zod';
import { enqueueJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { Letter, Mailer } from '../../kernel/mail.ts';
import type { Tx } from '../../kernel/database.ts';
import { assignmentLetter } from './assignment.mail.ts';
import { crossingLetter } from './crossing.mail.ts';
import { batchLetter, notificationLetter } from './notification.mail.ts';
import {
  type MailRow,
  claimMails,
  findCrossing,
  findMailWait,
  findNotification,
  findWaitingStep,
  finishMails,
} from './notifications.sql.ts';
import { URGENT_KINDS, notificationPage } from './wording.ts';

const single = z.object({
  orgId: z.uuid(),
  userId: z.uuid(),
  id: z.uuid(),
  about: z.object({
    activation: z.number().int().optional(),
    crossing: z.enum(['sla_at_risk', 'sla_breached', 'sla_reminded']).optional(),
  }),
});
type Single = z.output<typeof single>;
const mailJob = z.union([single, z.object({ orgId: z.uuid(), userId: z.uuid() })]);
type Person = { orgId: string; userId: string };

/** After this time, the process that made a claim must have died. The mail adapter gives up long before that. */
const SILENT_SECONDS = 120;

type MailDeps = Pick<Deps, 'db' | 'publicUrl' | 'config'>;

/** Mails one urgent notification, or all of a person's other pending notifications. */
export async function deliverMail(deps: MailDeps, mailer: Mailer, payload: unknown): Promise<void> {
  const job = mailJob.parse(payload);
  return 'id' in job ? deliverSingle(deps, mailer, job) : deliverBatch(deps, mailer, job);
}

/** Mails a notification, unless it is out of date or the person is no longer a member or has a disabled account. */
async function deliverSingle({ db, publicUrl }: MailDeps, mailer: Mailer, job: Single): Promise<void> {
  const { orgId, userId, id, about } = job;
  const tenant = { orgId, userId: null };
  const letter = await db.transaction(tenant, async (tx) => {
    const found = await tx.maybeOne(findNotification, { orgId, userId, id });
    if (!found) return null;
    return letterOf(tx, publicUrl, job, { ...found, activation: about.activation ?? null }, about.crossing);
  });
  if (letter) await mailer.send(letter);
  await db.transaction(tenant, async (tx) => tx.write(finishMails, { orgId, userId, ids: [id], areDone: true }));
}

/**
 * Mails a person's waiting notifications once the oldest has waited long enough. They are claimed before they are
 * mailed, so that a second job for the same person mails only later ones.
 */
async function deliverBatch({ db, publicUrl, config }: MailDeps, mailer: Mailer, person: Person): Promise<void> {
  const tenant = { orgId: person.orgId, userId: null };
  const which = { ...person, urgentKinds: URGENT_KINDS, silentSeconds: SILENT_SECONDS };
  const mails = await db.transaction(tenant, async (tx): Promise<Mail[]> => {
    const first = await tx.maybeOne(findMailWait, { ...which, windowMs: config.mailBatchMs });
    if (!first) return [];
    if (first.wait_ms > 0) {
      enqueueJobs(tx, [mailsJob(person, first.wait_ms)]);
      return [];
    }
    const rows = await tx.many(claimMails, which);
    return mailsOf(tx, publicUrl, person, rows.toSorted(byTime), config.mailBatchMs > 0);
  });
  for (const [at, { ids, letter }] of mails.entries()) {
    const finish = (areDone: boolean, which = ids): Promise<void> =>
      db.transaction(tenant, async (tx) => tx.write(finishMails, { ...person, ids: which, areDone }));
    try {
      if (letter) await mailer.send(letter);
    } catch (error) {
      await finish(
        false,
        mails.slice(at).flatMap((mail) => mail.ids),
      );
      throw error;
    }
    await finish(true);
  }
}

const mailsJob = ({ orgId, userId }: Person, delayMs: number) => ({
  task: 'mail_notice',
  payload: { orgId, userId },
  key: `mails:${orgId}:${userId}`,
  turnOf: orgId,
  delayMs,
});

const byTime = (one: MailRow, other: MailRow): number => one.created_at.getTime() - other.created_at.getTime();

/** An email about these notifications. `letter` is null if none of them has to be mailed (see `letterOf`). */
type Mail = { ids: string[]; letter: Letter | null };

async function mailsOf(
  tx: Tx,
  publicUrl: string,
  person: Person,
  rows: readonly MailRow[],
  inOne: boolean,
): Promise<Mail[]> {
  const letters = await Promise.all(rows.map((row) => letterOf(tx, publicUrl, person, row)));
  const current = rows.filter((_, at) => letters[at] !== null);
  const [first, second] = current;
  if (!inOne || !first || !second) return rows.map(({ id }, at) => ({ ids: [id], letter: letters[at] ?? null }));
  const items = current.map((row) => ({ ...row, url: notificationPage(publicUrl, row).url }));
  return [{ ids: rows.map(({ id }) => id), letter: batchLetter({ ...first, items, publicUrl }) }];
}

type Mailed = Omit<MailRow, 'created_at' | 'closed_at' | 'organization' | 'is_disabled'> & {
  closed_at?: Date | null;
  is_disabled?: boolean;
};

/**
 * Writes the email about one notification, or returns null if the notification is out of date or never mailed, or the
 * account is disabled.
 */
async function letterOf(
  tx: Tx,
  publicUrl: string,
  { orgId, userId }: Person,
  mailed: Omit<Mailed, 'id'>,
  crossing?: Single['about']['crossing'],
): Promise<Letter | null> {
  const { kind, name, email, title, body, run_id: runId, step_id: stepId, activation } = mailed;
  if (mailed.closed_at || mailed.is_disabled) return null;
  const page = notificationPage(publicUrl, mailed);
  const { url: link } = page;
  if (activation !== null) {
    const step = await tx.maybeOne(findWaitingStep, { orgId, runId, stepId, activation });
    if (!step) return null;
    const { step_title, run_name: run, workflow_title: workflow, due_at: due } = step;
    return assignmentLetter({ name, email, step: step_title, run, workflow, due, link });
  }
  if (crossing !== undefined) {
    const found = await tx.maybeOne(findCrossing, { orgId, runId, stepId, userId });
    if (!found || (crossing !== 'sla_breached' && found.is_over)) return null;
    const { step_title: step, run_name: run, workflow_title: workflow, due_at: due } = found;
    return crossingLetter({ kind: crossing, name, email, step, run, workflow, due, link });
  }
  return notificationLetter({ kind, name, email, title, body, page, isDraft: mailed.draft_id !== null });
}
