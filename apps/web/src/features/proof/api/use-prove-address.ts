import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { ME_KEY } from '../../../lib/session/use-me.ts';

export const codeSchema = async () =>
  (await import('@stet/contract/accounts')).accountRoutes['POST /api/auth/prove-address'].body;

/** Emails a code to the account's address. The response contains a message for the person. */
export function useSendCode() {
  return useMutation({ mutationFn: () => api('POST /api/auth/prove-address/code') });
}

/** Proves the address, and refetches all data, because the proof can change what the person may do. */
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
