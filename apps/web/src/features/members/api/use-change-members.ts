import type { Member } from '@stet/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { ME_KEY } from '../../../lib/session/use-me.ts';
import { membersKey } from '../../../lib/session/use-members.ts';

// The key that the invitations feature uses for its list.
const invitationsKey = (organizationId: string) => ['organization', organizationId, 'invitations'] as const;

/** Reports that a former manager's pending invitations were revoked. */
export function revokedSentence({ revokedInvitations: count }: { revokedInvitations: number }): string | null {
  if (!count) return null;
  const were = count === 1 ? '1 pending invitation they sent was' : `${count} pending invitations they sent were`;
  return `${were} revoked. Owners and admins are notified which, so that they can invite them again.`;
}

/** Changes a member's role; the list is refetched whatever the result. */
export function useChangeRole(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ member, role }: { member: Member; role: Member['role'] }) =>
      api('PATCH /api/organizations/{id}/users/{userId}', {
        params: { id: organizationId, userId: member.id },
        body: { role },
      }),
    // The user's own role determines their permissions here.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: membersKey(organizationId) }),
        queryClient.invalidateQueries({ queryKey: invitationsKey(organizationId) }),
        queryClient.invalidateQueries({ queryKey: ME_KEY }),
      ]),
  });
}

/** Ends a membership: someone else's or one's own. Their organization tokens are revoked or transferred. */
export function useRemoveMember(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, takeOverTokens }: { userId: string; takeOverTokens?: boolean }) =>
      api('DELETE /api/organizations/{id}/users/{userId}', {
        params: { id: organizationId, userId },
        ...(takeOverTokens !== undefined && { body: { takeOverTokens } }),
      }),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: membersKey(organizationId) }),
        queryClient.invalidateQueries({ queryKey: invitationsKey(organizationId) }),
        queryClient.invalidateQueries({ queryKey: ['api-tokens'] }),
        queryClient.invalidateQueries({ queryKey: ME_KEY }),
      ]),
  });
}
