import type { Tx } from '../../kernel/database.ts';
import { endPersonalTokensNow, lockMembership, revokeTokensOfMember, takeOverTokens } from './api-tokens.sql.ts';

/**
 * Revokes all personal tokens of a person in every organization, in this transaction. A job then records this in the
 * trail of each organization. Must be called after the person's sessions were ended. The creation of a token locks its
 * session, so a concurrent one in an ended session has either finished by then or is refused.
 */
export function endPersonalTokens(
  tx: Tx,
  userId: string,
  because: 'password_reset' | 'password_changed' | 'provider_connected' | 'account_disabled',
): void {
  tx.write(endPersonalTokensNow, { userId, because });
}

/**
 * Revokes the tokens of a person whose membership ends in this transaction: the personal tokens, and the organization's
 * own tokens that the person is responsible for. If `takenOverBy` is given and the leaving person is proved, the
 * organization's own tokens stay valid, and `takenOverBy` becomes responsible for them. Returns the tokens that were
 * taken over and those that were revoked.
 */
export async function endTokensOf(
  tx: Tx,
  { orgId, userId, takenOverBy }: { orgId: string; userId: string; takenOverBy: string | null },
) {
  const [, taken, revoked] = await Promise.all([
    tx.maybeOne(lockMembership, { orgId, userId }),
    takenOverBy === null ? [] : tx.many(takeOverTokens, { orgId, userId, newOwnerId: takenOverBy }),
    tx.many(revokeTokensOfMember, { orgId, userId }),
  ]);
  return { taken, revoked };
}
