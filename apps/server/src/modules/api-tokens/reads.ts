import type { Tx } from '../../kernel/database.ts';
import { endPersonalTokensNow, holdMembership, revokeTokensOfMember } from './api-tokens.sql.ts';

/**
 * Ends all personal tokens of someone, in every organization, with the transaction; a job of each organization then tells
 * its trail. Call it after their sessions were ended: who makes a token meanwhile waits for those.
 */
export function endPersonalTokens(tx: Tx, userId: string, because: 'password_reset' | 'provider_connected'): void {
  tx.write(endPersonalTokensNow, { userId, because });
}

/** Revokes the personal tokens of someone in one organization, whose membership ends with the transaction; answers them. */
export async function revokeTokensOf(tx: Tx, member: { orgId: string; userId: string }) {
  const [, revoked] = await Promise.all([tx.maybeOne(holdMembership, member), tx.many(revokeTokensOfMember, member)]);
  return revoked;
}
