import { z } from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import type { Mailer } from '../../kernel/mail.ts';
import { invitationLink } from './invitation-link.ts';
import { invitationLetter } from './invitation.mail.ts';
import { findPendingInvitation } from './invitations.sql.ts';

const invitation = z.object({ orgId: z.uuid(), id: z.uuid(), generation: z.number().int() });

/** Mails an invitation, unless it has expired or was revoked, accepted or sent again in the meantime. */
export async function sendInvitation(
  deps: Pick<Deps, 'db' | 'derive' | 'publicUrl'>,
  mailer: Mailer,
  payload: unknown,
): Promise<void> {
  const { orgId, id, generation } = invitation.parse(payload);
  const found = await deps.db.transaction({ orgId, userId: null }, (tx) =>
    tx.maybeOne(findPendingInvitation, { orgId, id }),
  );
  if (!found || found.expired || found.generation !== generation) return;
  await mailer.send(
    invitationLetter({
      email: found.email,
      role: found.role,
      organization: found.org_name,
      inviter: { name: found.inviter_name, email: found.inviter_email },
      expiresAt: found.expires_at,
      link: invitationLink(deps, { id, generation }, 'mailed'),
    }),
  );
}
