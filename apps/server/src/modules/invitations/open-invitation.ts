import type { Database } from '../../kernel/database.ts';
import { hashOfToken } from '../../kernel/derive.ts';
import { Refused } from '../../kernel/refused.ts';
import { findInvitation } from './invitations.sql.ts';

/**
 * The invitation that belongs to the token of a link. Unknown, expired, used and revoked invitations all count as not
 * found.
 */
export async function openInvitation(db: Database, token: string) {
  const tokenHash = hashOfToken(token);
  const [invitation] = await db.query(findInvitation, { tokenHash });
  if (!invitation) throw new Refused({ code: 'not_found', what: 'invitation' });
  return { ...invitation, tokenHash };
}
