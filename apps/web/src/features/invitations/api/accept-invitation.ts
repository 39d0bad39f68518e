import type { BodyInput } from '@stet/contract';
import { api } from '../../../lib/api/api.ts';
import { announceSwitch } from '../../../lib/session/selected-organization.ts';

export type Acceptance = BodyInput<'POST /api/invitations/{token}/accept'>;

export const acceptanceSchema = async () =>
  (await import('@stet/contract/invitations')).invitationRoutes['POST /api/invitations/{token}/accept'].body;

/** Creates the invited person's account and returns the organization's name. */
export async function acceptInvitation(token: string, body: Acceptance, idempotencyKey: string): Promise<string> {
  const { organization } = await api('POST /api/invitations/{token}/accept', {
    params: { token },
    body,
    anonymous: true,
    idempotencyKey,
  });
  return organization.name;
}

/** Joins with the signed-in account, selects the organization and returns its name. */
export async function joinOrganization(token: string, idempotencyKey: string): Promise<string> {
  const { organization } = await api('POST /api/invitations/{token}/join', { params: { token }, idempotencyKey });
  announceSwitch();
  return organization.name;
}
