import type { Tx } from '../../kernel/database.ts';
import { endPersonalTokensNow, lockMembership, revokeTokensOfMember, takeOverTokens } from './api-tokens.sql.ts';

/**
 * Revokes all of someone's personal tokens, in every organization, with the transaction; a job then records it in each
 * organization's trail. Call it after ending their sessions: a concurrent token creation waits for the session lock.
 */
export function endPersonalTokens(
  tx: Tx,
  userId: string,
  because: 'password_reset' | 'password_changed' | 'provider_connected',
): void {
  tx.write(endPersonalTokensNow, { userId, because });
}

/**
 * Revokes the tokens of someone whose membership ends with the transaction: their personal ones, and the organization's
 * own that they created. With `takenOverBy`, that person becomes responsible for the latter instead. Returns both
 * lists.
 */
export async function endTokensOf(
  tx: Tx,
  { orgId, userId, takenOverBy }: { orgId: string; userId: string; takenOverBy: string | null },
) {
  const [, taken, revoked] = await Promise.all([
    tx.maybeOne(lockMembership, { orgId, userId }),
    takenOverBy === null ? [] : tx.many(takeOverTokens, { orgId, userId, newOwnerId: takenOverBy }),
    tx.many(revokeTokensOfMember, { orgId, userId, personalOnly: takenOverBy !== null }),
  ]);
  return { taken, revoked };
}
