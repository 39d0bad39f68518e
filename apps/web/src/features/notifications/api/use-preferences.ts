import type { NotificationPreferences } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { withPace } from '../model/preference-words.ts';
import type { PaceChange } from '../model/preference-words.ts';

const keyOf = (organizationId: string | null) => ['notification-preferences', organizationId] as const;

/** The user's notification preferences in the selected organization. */
export function usePreferences() {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: keyOf(currentOrgId),
    queryFn: ({ signal }) => api('GET /api/notifications/preferences', { signal }),
    enabled: currentOrgId !== null,
  });
}

/** Changes one preference. The change is shown immediately and reverted if saving fails. */
export function usePickPace() {
  const queryClient = useQueryClient();
  const { currentOrgId } = useUser();
  const key = keyOf(currentOrgId);
  const change = (to: PaceChange) =>
    queryClient.setQueryData<NotificationPreferences>(key, (present) => present && withPace(present, to));
  return useMutation({
    mutationKey: key,
    mutationFn: (body: PaceChange) => api('PATCH /api/notifications/preferences', { body }),
    onMutate: async (picked) => {
      await queryClient.cancelQueries({ queryKey: key });
      const was = queryClient.getQueryData<NotificationPreferences>(key)?.paces[picked.news][picked.channel];
      change(picked);
      return { was };
    },
    onError: (_, picked, context) => {
      if (context?.was !== undefined) change({ ...picked, pace: context.was });
    },
    // Refetch only after the last change, because an earlier response wouldn't include the others.
    onSettled: () =>
      queryClient.isMutating({ mutationKey: key }) === 1 ? queryClient.invalidateQueries({ queryKey: key }) : undefined,
  });
}
