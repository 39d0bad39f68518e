import { isFirstHand } from '@stet/domain/access';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { countInvitations } from './invitations.sql.ts';

/** Maximum number of invitations that an account can send before its address is proved. */
const UNPROVED_INVITATIONS = 10;

/** Refuses to send or resend an invitation if the account isn't proved and has reached its limit. */
export async function assertMaySend(tx: Tx, { userId, standing }: OrgActor): Promise<void> {
  if (isFirstHand(standing.provedBy)) return;
  const count = await tx.maybeOne(countInvitations, { userId });
  if (count && count.sent >= UNPROVED_INVITATIONS)
    throw new Refused({ code: 'too_many_invitations', most: UNPROVED_INVITATIONS });
}
