import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { usePolling } from '../../../lib/events/live-updates.tsx';
import { useUser } from '../../../lib/session/signed-in.ts';
import { getDiff, getWorkflow, listRuns, listVersions, listWorkflows } from './legacy-calls.ts';

/** The selected organization's workflows, with their open drafts and live versions. */
export function useLegacyWorkflows() {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: ['workflows', currentOrgId, 'legacy'],
    queryFn: listWorkflows,
    meta: liveOn({ subject: 'workflow' }, { subject: 'version' }),
    refetchInterval: usePolling(),
  });
}

export function useLegacyRuns() {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: ['runs', currentOrgId, 'legacy'],
    queryFn: listRuns,
    meta: liveOn({ subject: 'run' }),
    refetchInterval: usePolling(),
  });
}

/** The steps and all versions of a workflow. They are loaded once the workflow is expanded. */
export const useLegacyWorkflow = (key: string) =>
  useQuery({
    queryKey: ['workflow', key, 'legacy'],
    queryFn: async () => {
      const [{ steps }, versions] = await Promise.all([getWorkflow(key), listVersions(key)]);
      return { steps, versions };
    },
    meta: liveOn({ subject: 'workflow' }, { subject: 'version' }),
  });

export const useLegacyDiff = (key: string, draftId: string) =>
  useQuery({
    queryKey: ['workflow', key, 'legacy-diff', draftId],
    queryFn: () => getDiff(key, draftId),
    meta: liveOn({ subject: 'version', id: draftId }),
  });

/**
 * The reason why the server would refuse this person's approval of a draft. Undefined if it wouldn't, or if that isn't
 * known.
 */
export function useApproveProblem(key: string, draftId: string, enabled: boolean): string | undefined {
  const { id } = useUser();
  const { data } = useQuery({
    queryKey: ['workflow', key, 'legacy-draft', draftId],
    queryFn: ({ signal }) => api('GET /api/workflows/{key}/drafts/{id}', { params: { key, id: draftId }, signal }),
    meta: liveOn({ subject: 'version', id: draftId }),
    enabled,
  });
  if (!enabled || !data || data.abilities.approve) return undefined;
  return data.contributors.some((person) => person.id === id)
    ? 'You contributed to this draft, so someone else has to review it'
    : 'You can’t approve this draft at the moment. Its review page shows the reason.';
}

/** Refetches the workflows and the runs. */
export function useRefetch() {
  const queryClient = useQueryClient();
  return () => {
    for (const subject of ['workflows', 'workflow', 'runs'])
      void queryClient.invalidateQueries({ queryKey: [subject] });
  };
}

/**
 * Runs one action at a time and ignores calls while one is pending. After each, refetches the workflows and the runs.
 */
export function useLegacyAction() {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: useRefetch(),
  });
  return {
    /** Calls `then` if the action succeeds. */
    act: (work: () => Promise<unknown>, then?: () => void) => {
      if (!isPending) mutate(work, { onSuccess: () => then?.() });
    },
    isPending,
    problem: error instanceof Error ? error.message : null,
  };
}
