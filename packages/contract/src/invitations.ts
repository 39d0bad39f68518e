import { ORG_ROLES } from '@stet/domain/access';
import { z } from 'zod';
import { email, fullName, password } from './accounts.ts';
import type { RateLimit, Routes } from './route.ts';
import { HOUR, id, message, moment, person } from './shared.ts';

/** Roles that an invitation can give. Only an owner can make someone an owner, who is already a member. */
const INVITABLE_ROLES = ORG_ROLES.filter((role) => role !== 'owner');

/** An invitation as shown to the person who opens its link (specification, section 3). */
export const invitation = z.object({
  email: z.string(),
  role: z.enum(ORG_ROLES),
  organization: z.object({ id, name: z.string(), slug: z.string().nullable() }),
  /** The sender's name. */
  invitedBy: z.string(),
  status: z.literal('pending'),
  expiresAt: moment,
});
export type Invitation = z.infer<typeof invitation>;

/** A pending invitation as shown to its sender. */
const sentInvitation = z.object({
  id,
  email: z.string(),
  role: z.enum(ORG_ROLES),
  invitedBy: person,
  createdAt: moment,
  expiresAt: moment,
  /** True once the invitation has expired; a manager can send it again. */
  expired: z.boolean(),
  link: z.string(),
});
export type SentInvitation = z.infer<typeof sentInvitation>;

/** A pending invitation as shown to managers. `link` is null if someone else sent it. */
const pendingInvitation = sentInvitation.extend({ link: z.string().nullable() });
export type PendingInvitation = z.infer<typeof pendingInvitation>;

const orgParams = z.strictObject({ id });
const invitationParams = orgParams.extend({ invitationId: id });
const tokenParams = z.strictObject({ token: z.string().regex(/^[\w-]{20,100}$/) });
const joined = z.object({ organization: z.object({ id, name: z.string() }) });

// Each of these calls sends an email to an address that the caller chooses.
const INVITING = { name: 'invite', perAddress: 500, perAccount: 200, windowSeconds: HOUR } satisfies RateLimit;
const ACCEPTING = { name: 'accept', perAddress: 60, perAccount: 20, windowSeconds: HOUR } satisfies RateLimit;

export const invitationRoutes = {
  'GET /api/organizations/{id}/invitations': {
    access: 'org.manage',
    summary: 'Pending invitations; each with its link if the caller sent it',
    params: orgParams,
    ok: z.array(pendingInvitation),
  },
  'POST /api/organizations/{id}/invitations': {
    access: 'org.manage',
    summary: 'Invite someone by email; replaces a pending invitation to the same address',
    params: orgParams,
    body: z.strictObject({ email, role: z.enum(INVITABLE_ROLES as [(typeof INVITABLE_ROLES)[number]]) }),
    ok: sentInvitation,
    status: 201,
    rateLimit: INVITING,
  },
  'DELETE /api/organizations/{id}/invitations/{invitationId}': {
    access: 'org.manage',
    summary: 'Revoke an invitation',
    params: invitationParams,
    ok: message,
  },
  'POST /api/organizations/{id}/invitations/{invitationId}/resend': {
    access: 'org.manage',
    summary: 'Send an invitation again with a new link and expiry date; the old link stops working',
    params: invitationParams,
    ok: sentInvitation,
    rateLimit: INVITING,
  },
  'GET /api/invitations/{token}': {
    access: 'public',
    summary: 'The invitation behind a link; 404 if it was used, revoked or has expired',
    params: tokenParams,
    ok: invitation,
    rateLimit: { name: 'invitation', perAddress: 300, perAccount: 60, windowSeconds: HOUR },
  },
  'POST /api/invitations/{token}/accept': {
    access: 'public',
    summary: 'Create the invited user’s account and join the organization',
    params: tokenParams,
    body: z.strictObject({ name: fullName, password }),
    ok: joined,
    status: 201,
    rateLimit: ACCEPTING,
  },
  'POST /api/invitations/{token}/join': {
    access: 'session',
    summary: 'Join the organization with the signed-in account that has the invited address',
    params: tokenParams,
    ok: joined,
    rateLimit: ACCEPTING,
  },
} satisfies Routes;
