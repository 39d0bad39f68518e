import { assignedOrgRole } from '@stet/domain/workflows';
import { z } from 'zod';
import { leaveNotices } from '../../db/notices.ts';
import { type Job, leaveJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { Mailer } from '../../kernel/mail.ts';
import { tellInSlackJob } from '../integrations/reads.ts';
import { assignmentLetter } from './assignment.mail.ts';
import { findAssignment } from './notifications.sql.ts';

const assignment = z.object({ orgId: z.uuid(), runId: z.uuid(), stepId: z.string(), activation: z.number().int() });

/**
 * Tells the assignee of a step that it waits for them, unless it has moved on since (rulings, section 6): within the
 * application the person, or all who hold the role; by mail the person alone; in Slack, where the organization is connected.
 * Mail and Slack are jobs of their own: whoever takes long to hear it holds up nothing else.
 */
export async function notifyAssignee(
  { db, pokeOutbox }: Pick<Deps, 'db' | 'pokeOutbox'>,
  payload: unknown,
): Promise<void> {
  const { orgId, ...at } = assignment.parse(payload);
  const { runId, stepId, activation } = at;
  const jobs = await db.transaction({ orgId, userId: null }, async (tx): Promise<Job[]> => {
    const found = await tx.maybeOne(findAssignment, { orgId, ...at });
    if (!found) return [];
    const role = assignedOrgRole(found.assignee);
    const source = `assigned:${runId}:${activation}:${stepId}`;
    leaveNotices(tx, orgId, [
      {
        source,
        kind: 'step_assigned',
        title: found.step_title,
        body: `A step of “${found.run_name}” waits for you.`,
        runId,
        stepId,
        to: { emails: found.email === null ? [] : [found.email], roles: role === null ? [] : [role] },
      },
    ]);
    const further: Job[] = [];
    if (found.email !== null)
      further.push({ task: 'mail_assignment', payload: { orgId, ...at }, key: source, turnOf: orgId });
    if (found.has_slack) further.push(tellInSlackJob(orgId, { kind: 'step', ...at }));
    leaveJobs(tx, further);
    return further;
  });
  if (jobs.length > 0) pokeOutbox();
}

/** Writes to the person whom a step is assigned to, unless it has moved on since. */
export async function mailAssignment(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  mailer: Mailer,
  payload: unknown,
): Promise<void> {
  const { orgId, ...at } = assignment.parse(payload);
  const step = await db.transaction({ orgId, userId: null }, (tx) => tx.maybeOne(findAssignment, { orgId, ...at }));
  if (!step || step.email === null) return;
  await mailer.send(
    assignmentLetter({
      name: step.name ?? step.email,
      email: step.email,
      step: step.step_title,
      run: step.run_name,
      workflow: step.workflow_title,
      due: step.due_at,
      link: `${publicUrl}/app/runs/${at.runId}`,
    }),
  );
}
