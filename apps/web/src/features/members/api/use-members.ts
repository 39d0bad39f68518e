import type { Member } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { ME_KEY } from '../../../lib/session/use-me.ts';

const membersKey = (organizationId: string) => ['organization', organizationId, 'members'] as const;

/** Everyone in the organization. */
export function useMembers(organizationId: string) {
  return useQuery({
    queryKey: membersKey(organizationId),
    queryFn: ({ signal }) => api('GET /api/organizations/{id}/users', { params: { id: organizationId }, signal }),
  });
}

/** Gives a member another role; whatever comes back, the list is asked for anew. */
export function useChangeRole(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ member, role }: { member: Member; role: Member['role'] }) =>
      api('PATCH /api/organizations/{id}/users/{userId}', {
        params: { id: organizationId, userId: member.id },
        body: { role },
      }),
    // One's own role is what one may do here.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: membersKey(organizationId) }),
        queryClient.invalidateQueries({ queryKey: ME_KEY }),
      ]),
  });
}

/** Ends a membership: someone else's, or one's own, which is leaving. Their organization tokens end too, or are taken over. */
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
        queryClient.invalidateQueries({ queryKey: ['api-tokens'] }),
        queryClient.invalidateQueries({ queryKey: ME_KEY }),
      ]),
  });
}
