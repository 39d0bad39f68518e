import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { ME_KEY } from '../../../lib/session/use-me.ts';

/** Mails a code to the address of the account; the answer says where to find it. */
export function useSendCode() {
  return useMutation({ mutationFn: () => api('POST /api/auth/prove-address/code') });
}

/** Proves the address. Whatever waited for the proof is loaded again. */
export function useProveAddress() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => api('POST /api/auth/prove-address', { body: { code } }),
    onSuccess: (user) => {
      queryClient.setQueryData(ME_KEY, user);
      void queryClient.invalidateQueries();
    },
  });
}
