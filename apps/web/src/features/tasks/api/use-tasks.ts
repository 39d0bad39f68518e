import type { Task } from '@stet/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, apiWithHeaders } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { usePolling } from '../../../lib/events/live-updates.tsx';
import { useUser } from '../../../lib/session/signed-in.ts';

export const TASKS_KEY = ['tasks'] as const;

type Page = {
  tasks: Task[];
  nextCursor: string | undefined;
  /** When the tasks were loaded, by this browser's clock in milliseconds. */
  loadedAt: number;
};

/** The user's tasks in the selected organization, soonest first, in pages. They are updated live. */
export function useTasks() {
  const { currentOrgId } = useUser();
  return useInfiniteQuery({
    queryKey: [...TASKS_KEY, 'list', currentOrgId],
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const query = pageParam === undefined ? {} : { cursor: pageParam };
      const { body, headers } = await apiWithHeaders('GET /api/tasks', { query, signal });
      return { tasks: body, nextCursor: headers.get('x-next-cursor') ?? undefined, loadedAt: Date.now() };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: usePolling(),
    meta: liveOn({ subject: 'run' }),
  });
}

/** The number of the user's tasks, at most 100. */
export function useTaskCount() {
  const { currentOrgId, orgPermissions } = useUser();
  return useQuery({
    queryKey: [...TASKS_KEY, 'count', currentOrgId],
    queryFn: ({ signal }) => api('GET /api/tasks/count', { signal }),
    refetchInterval: usePolling(),
    enabled: currentOrgId !== null && orgPermissions.includes('workflow.read'),
    meta: liveOn({ subject: 'run' }),
  });
}
