import type { BodyInput } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useIntent } from '../../../lib/api/intent.ts';

const invitationsKey = (organizationId: string) => ['organization', organizationId, 'invitations'] as const;

export type InvitationForm = BodyInput<'POST /api/organizations/{id}/invitations'>;

export const invitationSchema = async () =>
  (await import('@stet/contract/invitations')).invitationRoutes['POST /api/organizations/{id}/invitations'].body;

/** The pending invitations and those that expired, for managers of the organization. */
export function useInvitations(organizationId: string) {
  return useQuery({
    queryKey: invitationsKey(organizationId),
    queryFn: ({ signal }) => api('GET /api/organizations/{id}/invitations', { params: { id: organizationId }, signal }),
  });
}

/** Sends an invitation by email. A retry after a lost response doesn't send a second one. */
export function useInvite(organizationId: string) {
  const queryClient = useQueryClient();
  const intent = useIntent();
  return useMutation({
    mutationFn: (body: InvitationForm) =>
      api('POST /api/organizations/{id}/invitations', {
        params: { id: organizationId },
        body,
        idempotencyKey: intent.keyFor(body),
      }),
    onSettled: (_, error) => {
      intent.finish(error ?? undefined);
      return queryClient.invalidateQueries({ queryKey: invitationsKey(organizationId) });
    },
  });
}

/** Sends a pending invitation again with a new link and a new expiry date. */
export function useResendInvitation(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: string) =>
      api('POST /api/organizations/{id}/invitations/{invitationId}/resend', {
        params: { id: organizationId, invitationId },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationsKey(organizationId) }),
  });
}

/** Revokes a pending invitation. Its link then stops working. */
export function useRevokeInvitation(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: string) =>
      api('DELETE /api/organizations/{id}/invitations/{invitationId}', {
        params: { id: organizationId, invitationId },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationsKey(organizationId) }),
  });
}
