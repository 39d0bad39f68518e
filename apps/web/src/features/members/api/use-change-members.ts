import type { BodyInput, Member } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { ME_KEY } from '../../../lib/session/use-me.ts';
import { membersKey } from '../../../lib/session/use-members.ts';

// The invitations feature uses the same key for its list.
const invitationsKey = (organizationId: string) => ['organization', organizationId, 'invitations'] as const;

/** Says how many pending invitations of a former manager were revoked. Null if there were none. */
export function revokedSentence({ revokedInvitations: count }: { revokedInvitations: number }): string | null {
  if (!count) return null;
  const were = count === 1 ? '1 pending invitation they sent was' : `${count} pending invitations they sent were`;
  return `${were} revoked. Owners and admins are notified, so they can invite those people again.`;
}

/** Changes a member's role. The list is refetched even if that fails. */
export function useChangeRole(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ member, role }: { member: Member; role: Member['role'] }) =>
      api('PATCH /api/organizations/{id}/users/{userId}', {
        params: { id: organizationId, userId: member.id },
        body: { role },
      }),
    // The user's own role determines their permissions on this screen.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: membersKey(organizationId) }),
        queryClient.invalidateQueries({ queryKey: invitationsKey(organizationId) }),
        queryClient.invalidateQueries({ queryKey: ME_KEY }),
      ]),
  });
}

type RemovalBody = BodyInput<'DELETE /api/organizations/{id}/users/{userId}'>;

/** The number of active steps that a member claimed or that were handed over to them, by workflow. */
export function useHeldSteps(organizationId: string, userId: string) {
  return useQuery({
    queryKey: ['organization', organizationId, 'held-steps', userId],
    queryFn: ({ signal }) =>
      api('GET /api/organizations/{id}/users/{userId}/steps', { params: { id: organizationId, userId }, signal }),
  });
}

/**
 * Ends the membership of the user or of another member. The organization tokens that they are responsible for are
 * revoked or taken over, and their steps are released or handed over.
 */
export function useRemoveMember(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, ...body }: { userId: string } & NonNullable<RemovalBody>) =>
      api('DELETE /api/organizations/{id}/users/{userId}', {
        params: { id: organizationId, userId },
        ...(Object.keys(body).length > 0 && { body }),
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
