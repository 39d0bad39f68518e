import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { useOrganization } from '../../../lib/session/signed-in.ts';
import { hasWords } from '../model/command.ts';

const TYPING_PAUSE_MS = 150;
/** Of each kind, once something is typed, and before. */
const [MOST, MOST_RECENT] = [6, 3];

/** What was typed, once typing pauses. */
function usePaused(typed: string): string {
  const [paused, setPaused] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return paused;
}

/**
 * Workflows, runs and people of the selected organization that have the words that are typed; before any is typed, the
 * workflows that changed last and the newest runs. What was found for other words stays as far as it has these too.
 */
export function useFound(typed: string) {
  const q = usePaused(typed);
  const organization = useOrganization();
  const orgId = organization?.id ?? '';
  const limit = q === '' ? MOST_RECENT : MOST;
  const common = { enabled: orgId !== '', placeholderData: keepPreviousData };
  const workflows = useQuery({
    queryKey: ['workflows', orgId, 'palette', q],
    queryFn: ({ signal }) => api('GET /api/workflows', { query: { q, limit }, signal }),
    ...common,
  });
  const runs = useQuery({
    queryKey: ['runs', 'palette', orgId, q],
    queryFn: ({ signal }) => api('GET /api/runs', { query: { q, limit }, signal }),
    ...common,
  });
  // All members at once, as everywhere; there is nobody to look for in a personal account.
  const members = useQuery({
    queryKey: ['organization', orgId, 'members'],
    queryFn: ({ signal }) => api('GET /api/organizations/{id}/users', { params: { id: orgId }, signal }),
    enabled: organization?.type === 'team' && q !== '',
  });
  return {
    workflows: (workflows.data ?? []).filter(({ key, metadata }) => hasWords(`${metadata.title} ${key}`, typed)),
    runs: (runs.data ?? []).filter(({ name, workflowTitle }) => hasWords(`${name} ${workflowTitle}`, typed)),
    people:
      typed === ''
        ? []
        : (members.data ?? []).filter(({ name, email }) => hasWords(`${name} ${email}`, typed)).slice(0, MOST),
    isAsking: q !== typed || workflows.isFetching || runs.isFetching || members.isLoading,
    error: workflows.error ?? runs.error ?? members.error,
  };
}
