import type { Deps } from '../../kernel/deps.ts';
import { listOrganizationsWithEndlessTokens, markEndlessTokens } from './api-tokens.sql.ts';

/**
 * Reminds people every 30 days of their personal tokens that never expire, which were created before personal tokens
 * had to expire. The tokens remain valid.
 */
export async function remindOfUnlimitedTokens({
  db,
  log,
  pokeOutbox,
}: Pick<Deps, 'db' | 'log' | 'pokeOutbox'>): Promise<void> {
  for (const { org_id: orgId } of await db.query(listOrganizationsWithEndlessTokens, {})) {
    try {
      await db.transaction({ orgId, userId: null }, async (tx) => {
        const due = await tx.many(markEndlessTokens, { orgId });
        tx.follow(due.map(({ id }) => ({ action: 'token.never_expires', context: { id } })));
      });
    } catch (error) {
      // A failure in one organization doesn't affect the others.
      log.error({ err: error, orgId }, 'could not remind people of tokens that never expire');
    }
  }
  pokeOutbox();
}
