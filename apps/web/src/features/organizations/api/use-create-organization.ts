import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { announceSwitch } from '../../../lib/session/selected-organization.ts';
import { ME_KEY } from '../../../lib/session/use-me.ts';

export const organizationSchema = async () =>
  (await import('@stet/contract/profile')).profileRoutes['POST /api/organizations'].body;

/** Creates a team and switches to it. */
export function useCreateOrganization() {
  const queryClient = useQueryClient();
  const intent = useIntent();
  return useMutation({
    mutationFn: (body: { name: string; slug: string }) =>
      api('POST /api/organizations', { body, idempotencyKey: intent.keyFor(body) }),
    onSuccess: (user) => {
      intent.finish();
      queryClient.setQueryData(ME_KEY, user);
      announceSwitch();
    },
    onError: (error) => intent.finish(error),
  });
}
