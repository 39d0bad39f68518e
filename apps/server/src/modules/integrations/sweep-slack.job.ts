import { leaveJobs } from '../../db/outbox.ts';
import type { Deps } from '../../kernel/deps.ts';
import { findConnection } from './slack-connections.sql.ts';
import { listOrganizationsWaiting, takeWaitingMessages } from './slack.sql.ts';
import { tellAgainJob } from './tell-in-slack.job.ts';
import { workspaceOf } from './workspace.ts';

/** Longer than the longest pause between two tries: nothing is on its way to try these again. */
const IDLE_SECONDS = 20 * 60;

/**
 * Tries again what waits though the organization's connection is of use: settings or a key may have been missing for a while,
 * or the organization had connected anew a moment before a try with the old token came to its end.
 */
export async function sweepSlack(deps: Pick<Deps, 'db' | 'slack' | 'vault' | 'pokeOutbox'>): Promise<void> {
  if (!deps.slack) return;
  const found = await deps.db.query(listOrganizationsWaiting, { idleSeconds: IDLE_SECONDS });
  for (const { org_id: orgId } of found) {
    await deps.db.transaction({ orgId, userId: null }, async (tx) => {
      const connected = workspaceOf(deps, orgId, await tx.maybeOne(findConnection, { orgId }));
      if (!connected || connected.connection.problem !== null) return;
      const waiting = await tx.many(takeWaitingMessages, { orgId, idleSeconds: IDLE_SECONDS });
      leaveJobs(
        tx,
        waiting.map(({ job }) => tellAgainJob(job)),
      );
    });
  }
  if (found.length > 0) deps.pokeOutbox();
}
