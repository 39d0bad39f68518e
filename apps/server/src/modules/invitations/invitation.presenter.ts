import type { SentInvitation } from '@stet/contract';
import type { Deps } from '../../kernel/deps.ts';
import { invitationLink } from './invitation-link.ts';
import type { InvitationRow } from './invitations.sql.ts';

/** A pending invitation without its link, so that it can be stored as the response to an idempotency key. */
type UnlinkedInvitation = Omit<SentInvitation, 'link'> & { generation: number };

export const unlinked = (row: Omit<InvitationRow, 'org_name'>): UnlinkedInvitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  generation: row.generation,
  invitedBy: { id: row.inviter_id, name: row.inviter_name, email: row.inviter_email },
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  expired: row.expired,
});

/** Adds the link, for the sender. */
export const linked = (
  deps: Pick<Deps, 'derive' | 'publicUrl'>,
  { generation, ...invitation }: UnlinkedInvitation,
): SentInvitation => ({
  ...invitation,
  link: invitationLink(deps, { id: invitation.id, generation }, 'shown'),
});
