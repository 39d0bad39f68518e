import { assignedOrgRole, isolated } from '@stet/domain/workflows';
import { z } from 'zod';
import { leaveNotices } from '../../db/notices.ts';
import { leaveJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import { tellInSlackJob } from '../integrations/reads.ts';
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
  await db.transaction({ orgId, userId: null }, async (tx) => {
    const found = await tx.maybeOne(findAssignment, { orgId, ...at });
    if (!found) return;
    const role = assignedOrgRole(found.assignee);
    leaveNotices(tx, orgId, [
      {
        source: `assigned:${runId}:${activation}:${stepId}`,
        kind: 'step_assigned',
        title: found.step_title,
        body: `A step of “${isolated(found.run_name)}” waits for you.`,
        runId,
        stepId,
        to: { emails: found.is_member ? [found.assignee] : [], roles: role === null ? [] : [role] },
        namedOnly: true,
        hasOwnSlackMessage: true,
        about: { activation },
      },
    ]);
    if (found.has_slack) leaveJobs(tx, [tellInSlackJob(orgId, { kind: 'step', ...at })]);
  });
  pokeOutbox();
}
