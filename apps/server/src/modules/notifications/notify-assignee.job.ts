import { z } from 'zod';
import type { Mailer } from '../../adapters/mail.ts';
import type { Deps } from '../../kernel/deps.ts';
import { writeMail } from './mail-layout.ts';
import { findAssignment } from './notifications.sql.ts';

const assignment = z.object({ orgId: z.uuid(), runId: z.uuid(), stepId: z.string(), activation: z.number().int() });

/** Tells the assignee of a step that it waits for them, unless it has moved on since (rulings, section 6). */
export async function notifyAssignee({ db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>, mailer: Mailer, payload: unknown): Promise<void> {
  const { orgId, ...at } = assignment.parse(payload);
  const step = await db.transaction({ orgId, userId: null }, (tx) => tx.maybeOne(findAssignment, { orgId, ...at }));
  if (!step) return;
  const due = step.due_at ? `It is due ${step.due_at.toISOString().slice(0, 16).replace('T', ' ')} UTC.` : 'It has no due time.';
  await mailer.send(
    writeMail({
      to: step.email,
      subject: `${step.step_title}: ${step.run_name}`,
      greeting: `Hello ${step.name},`,
      paragraphs: [`the step “${step.step_title}” of “${step.run_name}” (${step.workflow_title}) waits for you. ${due}`],
      link: { label: 'Open the run', url: `${publicUrl}/app/runs/${at.runId}` },
    }),
  );
}
