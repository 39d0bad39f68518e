import { z } from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import type { Mailer } from '../../kernel/mail.ts';
import { assignmentLetter } from './assignment.mail.ts';
import { findAssignment } from './notifications.sql.ts';

const assignment = z.object({ orgId: z.uuid(), runId: z.uuid(), stepId: z.string(), activation: z.number().int() });

/** Tells the assignee of a step that it waits for them, unless it has moved on since (rulings, section 6). */
export async function notifyAssignee(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  mailer: Mailer,
  payload: unknown,
): Promise<void> {
  const { orgId, ...at } = assignment.parse(payload);
  const step = await db.transaction({ orgId, userId: null }, (tx) => tx.maybeOne(findAssignment, { orgId, ...at }));
  if (!step) return;
  await mailer.send(
    assignmentLetter({
      name: step.name,
      email: step.email,
      step: step.step_title,
      run: step.run_name,
      workflow: step.workflow_title,
      due: step.due_at,
      link: `${publicUrl}/app/runs/${at.runId}`,
    }),
  );
}
