import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { ME_KEY } from '../../../lib/session/use-me.ts';

const SESSIONS_KEY = ['sessions'] as const;

/** Changes one's name, everywhere it is shown. */
export function useRename() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api('PATCH /api/users/me', { body: { name } }),
    onSuccess: (user) => queryClient.setQueryData(ME_KEY, user),
  });
}

/** Changes one's password; every other session ends. */
export function useChangePassword() {
  const queryClient = useQueryClient();
  const intent = useIntent();
  return useMutation({
    mutationFn: (body: { currentPassword: string; password: string }) =>
      api('POST /api/users/me/password', { body, idempotencyKey: intent.keyFor(body) }),
    onSettled: (_, error) => {
      intent.settle(error ?? undefined);
      return queryClient.invalidateQueries({ queryKey: SESSIONS_KEY });
    },
  });
}

/** Where one is signed in. */
export function useSessions() {
  return useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => api('GET /api/users/me/sessions', { signal }),
  });
}

/** Signs out one of one's other sessions. */
export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api('DELETE /api/users/me/sessions/{id}', { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SESSIONS_KEY }),
  });
}
