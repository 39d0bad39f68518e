import type { BodyInput } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { ME_KEY } from '../../../lib/session/use-me.ts';

const SESSIONS_KEY = ['sessions'] as const;

export const renameSchema = async () =>
  (await import('@stet/contract/profile')).profileRoutes['PATCH /api/users/me'].body;

export const passwordSchema = async () =>
  (await import('@stet/contract/profile')).profileRoutes['POST /api/users/me/password'].body;

export function useRename() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string }) => api('PATCH /api/users/me', { body }),
    onSuccess: (user) => queryClient.setQueryData(ME_KEY, user),
  });
}

/** Changes the user's password. Ends all other sessions and, with `endTokens`, revokes the personal API tokens. */
export function useChangePassword() {
  const queryClient = useQueryClient();
  const intent = useIntent();
  return useMutation({
    mutationFn: (body: BodyInput<'POST /api/users/me/password'>) =>
      api('POST /api/users/me/password', { body, idempotencyKey: intent.keyFor(body) }),
    onSettled: (_, error) => {
      intent.finish(error ?? undefined);
      return queryClient.invalidateQueries({ queryKey: SESSIONS_KEY });
    },
  });
}

export function useSessions() {
  return useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => api('GET /api/users/me/sessions', { signal }),
  });
}

/** Ends one of the user's other sessions. */
export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api('DELETE /api/users/me/sessions/{id}', { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SESSIONS_KEY }),
  });
}
