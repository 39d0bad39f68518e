import type { Tx } from '../../kernel/database.ts';
import { endPersonalTokensNow, holdMembership, revokeTokensOfMember, takeOverTokens } from './api-tokens.sql.ts';

/**
 * Ends all personal tokens of someone, in every organization, with the transaction; a job of each organization then tells
 * its trail. Call it after their sessions were ended: who makes a token meanwhile waits for those.
 */
export function endPersonalTokens(tx: Tx, userId: string, because: 'password_reset' | 'provider_connected'): void {
  tx.write(endPersonalTokensNow, { userId, because });
}

/**
 * Ends the tokens of someone whose membership ends with the transaction: their personal ones, and the organization's own that
 * they made, for which `takenOverBy` answers from now on if there is one. Answers both lists.
 */
export async function endTokensOf(
  tx: Tx,
  { orgId, userId, takenOverBy }: { orgId: string; userId: string; takenOverBy: string | null },
) {
  const [, taken, revoked] = await Promise.all([
    tx.maybeOne(holdMembership, { orgId, userId }),
    takenOverBy === null ? [] : tx.many(takeOverTokens, { orgId, userId, newOwnerId: takenOverBy }),
    tx.many(revokeTokensOfMember, { orgId, userId, personalOnly: takenOverBy !== null }),
  ]);
  return { taken, revoked };
}
