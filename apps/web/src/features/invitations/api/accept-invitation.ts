import { api } from '../../../lib/api/api.ts';
import { announceSwitch } from '../../../lib/session/selected-organization.ts';

/** Creates the invited account; answers the organization's name. Throws `ApiError`. */
export async function acceptInvitation(
  token: string,
  body: { name: string; password: string },
  idempotencyKey: string,
): Promise<string> {
  const { organization } = await api('POST /api/invitations/{token}/accept', {
    params: { token },
    body,
    anonymous: true,
    idempotencyKey,
  });
  return organization.name;
}

/** Joins with the account that is signed in; the organization is selected then. Answers its name. Throws `ApiError`. */
export async function joinOrganization(token: string, idempotencyKey: string): Promise<string> {
  const { organization } = await api('POST /api/invitations/{token}/join', { params: { token }, idempotencyKey });
  announceSwitch();
  return organization.name;
}
