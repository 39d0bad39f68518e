import { z } from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import { findWaitingStep } from './notifications.sql.ts';
import { assignmentOf } from './reactions.ts';
import { enqueueNotifications } from './recipients.ts';

const assignment = z.object({ orgId: z.uuid(), runId: z.uuid(), stepId: z.string(), activation: z.number().int() });

/**
 * Notifies the assignee of a step for a job that an older release enqueued. For steps that become active now,
 * `reactions.ts` does this.
 */
export async function notifyAssignee(
  { db, pokeOutbox }: Pick<Deps, 'db' | 'pokeOutbox'>,
  payload: unknown,
): Promise<void> {
  const { orgId, ...at } = assignment.parse(payload);
  await db.transaction({ orgId, userId: null }, async (tx) => {
    const step = await tx.maybeOne(findWaitingStep, { orgId, ...at });
    if (!step) return;
    const { assignee, step_title: title, run_name: runName } = step;
    enqueueNotifications(tx, orgId, [assignmentOf({ ...at, assignee, title, runName, startedBy: null })]);
  });
  pokeOutbox();
}
