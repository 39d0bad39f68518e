import type { Database } from '../../kernel/database.ts';
import { hashOfToken } from '../../kernel/derive.ts';
import { Refused } from '../../kernel/refused.ts';
import { findInvitation } from './invitations.sql.ts';

/**
 * Finds the invitation by the token in a link. Refuses unknown, expired, used and revoked invitations, and those of
 * disabled senders, with `not_found`.
 */
export async function openInvitation(db: Database, token: string) {
  const tokenHash = hashOfToken(token);
  const [invitation] = await db.query(findInvitation, { tokenHash });
  if (!invitation) throw new Refused({ code: 'not_found', what: 'invitation' });
  return { ...invitation, tokenHash };
}
