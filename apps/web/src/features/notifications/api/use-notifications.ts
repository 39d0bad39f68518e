import type { Notification } from '@stet/contract';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, apiWithHeaders } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { usePolling } from '../../../lib/events/live-updates.tsx';
import { useUser } from '../../../lib/session/signed-in.ts';

const KEY = ['notifications'] as const;

type Page = { notifications: Notification[]; nextCursor: string | undefined };

/** The number of threads with unread notifications, at most 100. */
export function useUnreadCount() {
  const { currentOrgId, orgPermissions } = useUser();
  return useQuery({
    queryKey: [...KEY, 'count', currentOrgId],
    queryFn: ({ signal }) => api('GET /api/notifications/count', { signal }),
    refetchInterval: usePolling(),
    enabled: currentOrgId !== null && orgPermissions.includes('workflow.read'),
    meta: liveOn({ subject: 'notification' }),
  });
}

/** Reads a page of the user's notifications, newest first. */
export async function readNotifications(
  filters: Record<string, string>,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page> {
  const query = { ...filters, ...(cursor !== undefined && { cursor }) };
  const { body, headers } = await apiWithHeaders('GET /api/notifications', { query, signal });
  return { notifications: body, nextCursor: headers.get('x-next-cursor') ?? undefined };
}

/** The user's notifications, newest first, in pages, with one entry for each thread. */
export function useNotifications(filters: Record<string, string> = {}) {
  const { currentOrgId } = useUser();
  return useInfiniteQuery({
    queryKey: [...KEY, 'list', currentOrgId, filters],
    queryFn: ({ pageParam, signal }) => readNotifications({ ...filters, grouped: 'true' }, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    meta: liveOn({ subject: 'notification' }),
  });
}

/** `one` marks a notification and the earlier ones in its thread as read; `all`, all notifications up to a time. */
export function useMarkRead() {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: KEY });
  const one = useMutation({
    mutationFn: (id: string) => api('POST /api/notifications/{id}/read', { params: { id }, body: { group: true } }),
    onSettled: refresh,
  });
  const all = useMutation({
    mutationFn: (upTo: string) => api('POST /api/notifications/read', { body: { upTo } }),
    onSettled: refresh,
  });
  return { one, all };
}
