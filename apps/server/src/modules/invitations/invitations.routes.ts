import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { linked, unlinked } from './invitation.presenter.ts';
import { Refused } from '../../kernel/refused.ts';
import { findPendingInvitation, listInvitations } from './invitations.sql.ts';
import { invite } from './invite.ts';
import { joinOrganization } from './join-organization.ts';
import { openInvitation } from './open-invitation.ts';
import { resendInvitation } from './resend-invitation.ts';
import { revokeInvitation } from './revoke-invitation.ts';
import { selected } from '../../http/selected.ts';

export const invitationHandlers = {
  'GET /api/organizations/{id}/invitations': async (deps, { actor, params }) => {
    const orgId = selected(actor, params.id);
    const rows = await deps.db.transaction(actor, (tx) => tx.many(listInvitations, { orgId }));
    return answer(
      rows.map((row) => {
        const shown = linked(deps, unlinked(row));
        return row.inviter_id === actor.userId ? shown : { ...shown, link: null };
      }),
    );
  },
  'POST /api/organizations/{id}/invitations': invite,
  'DELETE /api/organizations/{id}/invitations/{invitationId}': revokeInvitation,
  'POST /api/organizations/{id}/invitations/{invitationId}/resend': resendInvitation,
  'GET /api/invitations/{token}': async ({ db }, { params }) => {
    const { id, email, role, org_id: orgId, org_name, org_slug, expires_at } = await openInvitation(db, params.token);
    const sent = await db.transaction({ orgId, userId: null }, (tx) =>
      tx.maybeOne(findPendingInvitation, { orgId, id }),
    );
    if (!sent) throw new Refused({ code: 'not_found', what: 'invitation' });
    return answer({
      email,
      role,
      organization: { id: orgId, name: org_name, slug: org_slug },
      invitedBy: sent.inviter_name,
      status: 'pending' as const,
      expiresAt: expires_at.toISOString(),
    });
  },
  'POST /api/invitations/{token}/accept': acceptInvitation,
  'POST /api/invitations/{token}/join': joinOrganization,
} satisfies Partial<Handlers>;
