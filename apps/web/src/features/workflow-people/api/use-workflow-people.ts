import type { BodyInput } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';

const peopleKey = (key: string) => ['workflow-people', key] as const;

export const workflowPeopleSchema = async () =>
  (await import('@stet/contract/workflow-people')).workflowPeopleRoutes['PATCH /api/workflows/{key}/people'].body;

/** The owners and reviewers of a workflow. */
export function useWorkflowPeople(key: string) {
  return useQuery({
    queryKey: peopleKey(key),
    queryFn: ({ signal }) => api('GET /api/workflows/{key}/people', { params: { key }, signal }),
  });
}

export function useSaveWorkflowPeople(key: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<'PATCH /api/workflows/{key}/people'>) =>
      api('PATCH /api/workflows/{key}/people', { params: { key }, body }),
    // If a second owner or admin must confirm the new reviewers first, the response contains the present ones.
    onSuccess: (saved) => {
      queryClient.setQueryData(peopleKey(key), saved);
      void queryClient.invalidateQueries({ queryKey: ['confirmations'] });
    },
  });
}
