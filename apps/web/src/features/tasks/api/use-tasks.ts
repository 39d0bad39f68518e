import type { DoneTask, ReviewTask, Task } from '@stet/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, apiWithHeaders } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { usePolling } from '../../../lib/events/live-updates.tsx';
import { useCan, useUser } from '../../../lib/session/signed-in.ts';

export const TASKS_KEY = ['tasks'] as const;

/**
 * Which tasks to list. `whose`: `me` for those that name the user, `role` for those for a role or group of theirs or
 * for anyone, undefined for all. `workflow`: the key of one workflow, empty for all.
 */
export type TaskFilter = { whose: 'me' | 'role' | undefined; workflow: string };

type Page = {
  tasks: Task[];
  nextCursor: string | undefined;
  /** When the tasks were loaded, by this browser's clock in milliseconds. */
  loadedAt: number;
};

/** Reads a page of the user's tasks. */
export async function readTasks(
  { whose, workflow }: TaskFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page> {
  const query = {
    ...(cursor !== undefined && { cursor }),
    ...(whose && { for: whose }),
    ...(workflow && { workflow }),
  };
  const { body, headers } = await apiWithHeaders('GET /api/tasks', { query, signal });
  return { tasks: body, nextCursor: headers.get('x-next-cursor') ?? undefined, loadedAt: Date.now() };
}

/** The user's tasks in the selected organization, those due soonest first, in pages. */
export function useTasks(filter: TaskFilter) {
  const { currentOrgId } = useUser();
  return useInfiniteQuery({
    queryKey: [...TASKS_KEY, 'list', currentOrgId, filter],
    queryFn: ({ pageParam, signal }) => readTasks(filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: usePolling(),
    meta: liveOn({ subject: 'run' }, { subject: 'delegation' }),
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
    meta: liveOn({ subject: 'run' }, { subject: 'delegation' }),
  });
}

// The list of reviews also depends on the policy and on people's roles and proofs.
const REVIEWS_LIVE = liveOn(
  { subject: 'version' },
  { subject: 'workflow' },
  { subject: 'organization' },
  { subject: 'user' },
  { subject: 'delegation' },
);

/** Whether the user can review drafts, for themselves or for someone who delegated reviews to them. */
function useReviewsDrafts(): boolean {
  const { currentOrgId } = useUser();
  const canReview = useCan('draft.review');
  const { data } = useTaskCount();
  return currentOrgId !== null && (canReview || data?.reviewsForOthers === true);
}

/** The drafts that wait for the user's review, oldest first, in pages. */
export function useReviewTasks() {
  const { currentOrgId } = useUser();
  const enabled = useReviewsDrafts();
  return useInfiniteQuery({
    queryKey: [...TASKS_KEY, 'reviews', currentOrgId],
    queryFn: async ({ pageParam, signal }): Promise<{ drafts: ReviewTask[]; nextCursor: string | undefined }> => {
      const query = pageParam === undefined ? {} : { cursor: pageParam };
      const { body, headers } = await apiWithHeaders('GET /api/tasks/reviews', { query, signal });
      return { drafts: body, nextCursor: headers.get('x-next-cursor') ?? undefined };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: usePolling(),
    enabled,
    meta: REVIEWS_LIVE,
  });
}

/** The number of drafts that wait for the user's review, at most 100. */
export function useReviewCount() {
  const { currentOrgId } = useUser();
  const enabled = useReviewsDrafts();
  return useQuery({
    queryKey: [...TASKS_KEY, 'review-count', currentOrgId],
    queryFn: ({ signal }) => api('GET /api/tasks/reviews/count', { signal }),
    refetchInterval: usePolling(),
    enabled,
    meta: REVIEWS_LIVE,
  });
}

/** Reads a page of what the user has completed or decided. */
export async function readDoneTasks(
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<{ done: DoneTask[]; nextCursor: string | undefined }> {
  const query = cursor === undefined ? {} : { cursor };
  const { body, headers } = await apiWithHeaders('GET /api/tasks/done', { query, signal });
  return { done: body, nextCursor: headers.get('x-next-cursor') ?? undefined };
}

/** The steps and reviews that the user has completed or decided, newest first, in pages. */
export function useDoneTasks() {
  const { currentOrgId } = useUser();
  return useInfiniteQuery({
    queryKey: [...TASKS_KEY, 'done', currentOrgId],
    queryFn: ({ pageParam, signal }) => readDoneTasks(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });
}
