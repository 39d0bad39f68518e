import { z } from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import type { Letter, Mailer } from '../../kernel/mail.ts';
import type { Tx } from '../../kernel/database.ts';
import { assignmentLetter } from './assignment.mail.ts';
import { crossingLetter } from './crossing.mail.ts';
import { notificationLetter } from './notification.mail.ts';
import { findCrossing, findNotification, findWaitingStep } from './notifications.sql.ts';
import { notificationPage } from './wording.ts';

const mailJob = z.object({
  orgId: z.uuid(),
  userId: z.uuid(),
  id: z.uuid(),
  about: z.object({
    activation: z.number().int().optional(),
    crossing: z.enum(['sla_at_risk', 'sla_breached', 'sla_reminded']).optional(),
  }),
});
type MailJob = z.output<typeof mailJob>;

/** Mails a notification to one person, unless it is out of date or the person is no longer a member. */
export async function deliverMail(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  mailer: Mailer,
  payload: unknown,
): Promise<void> {
  const job = mailJob.parse(payload);
  const letter = await db.transaction({ orgId: job.orgId, userId: null }, (tx) => letterOf(tx, publicUrl, job));
  if (letter) await mailer.send(letter);
}

async function letterOf(tx: Tx, publicUrl: string, { orgId, userId, id, about }: MailJob): Promise<Letter | null> {
  const notification = await tx.maybeOne(findNotification, { orgId, userId, id });
  if (!notification) return null;
  const { kind, name, email, title, body, run_id: runId, step_id: stepId } = notification;
  const page = notificationPage(publicUrl, notification);
  const { url: link } = page;
  if (about.activation !== undefined) {
    const step = await tx.maybeOne(findWaitingStep, { orgId, runId, stepId, activation: about.activation });
    if (!step) return null;
    const { step_title, run_name: run, workflow_title: workflow, due_at: due } = step;
    return assignmentLetter({ name, email, step: step_title, run, workflow, due, link });
  }
  if (about.crossing !== undefined) {
    const found = await tx.maybeOne(findCrossing, { orgId, runId, stepId, userId });
    if (!found || (about.crossing !== 'sla_breached' && found.is_over)) return null;
    const { step_title: step, run_name: run, workflow_title: workflow, due_at: due } = found;
    return crossingLetter({ kind: about.crossing, name, email, step, run, workflow, due, link });
  }
  return notificationLetter({ kind, name, email, title, body, page, isDraft: notification.draft_id !== null });
}
