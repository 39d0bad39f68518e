import { assignedOrgRole } from '@stet/domain/workflows';
import { z } from 'zod';
import { leaveNotices } from '../../db/notices.ts';
import { leaveJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { Mailer } from '../../kernel/mail.ts';
import { tellInSlackJob } from '../integrations/reads.ts';
import { assignmentLetter } from './assignment.mail.ts';
import { findAssignment } from './notifications.sql.ts';

const assignment = z.object({ orgId: z.uuid(), runId: z.uuid(), stepId: z.string(), activation: z.number().int() });

/**
 * Tells the assignee of a step that it waits for them, unless it has moved on since (rulings, section 6): within the
 * application the person, or all who hold the role; by mail the person alone; in Slack, where the organization is connected.
 */
export async function notifyAssignee(
  { db, publicUrl, pokeOutbox }: Pick<Deps, 'db' | 'publicUrl' | 'pokeOutbox'>,
  mailer: Mailer,
  payload: unknown,
): Promise<void> {
  const { orgId, ...at } = assignment.parse(payload);
  const { runId, stepId, activation } = at;
  const step = await db.transaction({ orgId, userId: null }, async (tx) => {
    const found = await tx.maybeOne(findAssignment, { orgId, ...at });
    if (!found) return null;
    const role = assignedOrgRole(found.assignee);
    leaveNotices(tx, orgId, [
      {
        source: `assigned:${runId}:${activation}:${stepId}`,
        kind: 'step_assigned',
        title: found.step_title,
        body: `A step of “${found.run_name}” waits for you.`,
        runId,
        stepId,
        to: { emails: found.email === null ? [] : [found.email], roles: role === null ? [] : [role] },
      },
    ]);
    if (found.has_slack) leaveJobs(tx, [tellInSlackJob(orgId, { kind: 'step', ...at })]);
    return found;
  });
  if (step?.has_slack) pokeOutbox();
  if (!step || step.email === null) return;
  await mailer.send(
    assignmentLetter({
      name: step.name ?? step.email,
      email: step.email,
      step: step.step_title,
      run: step.run_name,
      workflow: step.workflow_title,
      due: step.due_at,
      link: `${publicUrl}/app/runs/${runId}`,
    }),
  );
}
