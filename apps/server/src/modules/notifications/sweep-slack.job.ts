import type { Deps } from '../../kernel/deps.ts';
import { findConnection, workspaceOf } from '../integrations/index.ts';
import { enqueueIdle, listOrganizationsWaiting } from './slack.sql.ts';

/** Longer than the longest pause between two attempts, so messages this old have no retry enqueued. */
const IDLE_SECONDS = 20 * 60;

/**
 * Retries messages that are still waiting although the organization's connection works. For example, settings or a key
 * were missing for some time, or the organization reconnected just before an attempt with the old token ended.
 */
export async function sweepSlack(deps: Pick<Deps, 'db' | 'slack' | 'vault' | 'pokeOutbox'>): Promise<void> {
  if (!deps.slack) return;
  const found = await deps.db.query(listOrganizationsWaiting, { idleSeconds: IDLE_SECONDS });
  for (const { org_id: orgId } of found) {
    await deps.db.transaction({ orgId, userId: null }, async (tx) => {
      const connected = workspaceOf(deps, orgId, await tx.maybeOne(findConnection, { orgId }));
      if (!connected || connected.connection.problem !== null) return;
      tx.write(enqueueIdle, { orgId, idleSeconds: IDLE_SECONDS });
    });
  }
  if (found.length > 0) deps.pokeOutbox();
}
