import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { groupsQuery } from '../../../lib/session/use-groups.ts';
import { membersQuery } from '../../../lib/session/use-members.ts';
import { allSuggestions } from '../model/assignee-suggestions.ts';
import type { AssigneeSuggestion } from '../model/assignee-suggestions.ts';
import { editorKeys } from './query-keys.ts';

const STALE_MS = 5 * 60_000;
const ONLY_ROLES = allSuggestions([], []);

/**
 * Suggestions for a step's assignee. If a source can't be loaded, its suggestions are missing and the error is logged
 * (specification, section 8).
 */
export function useAssignees(organizationId: string | null): readonly AssigneeSuggestion[] {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: editorKeys.assignees(organizationId ?? ''),
    enabled: organizationId !== null,
    staleTime: STALE_MS,
    queryFn: async ({ signal }) => {
      const params = { id: organizationId ?? '' };
      const [members, common, groups] = await Promise.all([
        listOrNone(signal, queryClient.fetchQuery({ ...membersQuery(params.id), staleTime: STALE_MS })),
        listOrNone(signal, api('GET /api/organizations/{id}/common-assignees', { params, signal })),
        listOrNone(signal, queryClient.fetchQuery({ ...groupsQuery(params.id), staleTime: STALE_MS })),
      ]);
      return allSuggestions(members, common, groups);
    },
  });
  return query.data ?? ONLY_ROLES;
}

async function listOrNone<T>(signal: AbortSignal, list: Promise<T[]>): Promise<T[]> {
  try {
    const items = await list;
    return Array.isArray(items) ? items : [];
  } catch (error) {
    // The request was cancelled, which isn't a failure.
    if (signal.aborted) throw error;
    // oxlint-disable-next-line no-console -- the specification requires only a log entry.
    console.warn('Assignee suggestions could not be fetched', error);
    return [];
  }
}
