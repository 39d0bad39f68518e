import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { useOrganization } from '../../../lib/session/signed-in.ts';
import { useMembers } from '../../../lib/session/use-members.ts';
import { hasWords } from '../model/command.ts';

const TYPING_PAUSE_MS = 150;
/** The maximum number of results of each kind: with a search text, and without one. */
const [MAX_FOUND, MAX_RECENT] = [6, 3];

/** The search text, updated once the person stops typing. */
function usePaused(typed: string): string {
  const [paused, setPaused] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return paused;
}

/**
 * The workflows, tags, runs and people of the selected organization that match the search text. Without a text, the
 * most recently changed workflows and the newest runs. While results load, previous results that also match stay
 * visible.
 */
export function useFound(typed: string) {
  const q = usePaused(typed);
  const organization = useOrganization();
  const orgId = organization?.id ?? '';
  const limit = q === '' ? MAX_RECENT : MAX_FOUND;
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
  const tags = useQuery({
    queryKey: ['workflows', orgId, 'tags'],
    queryFn: async ({ signal }) => (await api('GET /api/workflow-counts', { signal })).tags,
    enabled: orgId !== '' && q !== '',
    staleTime: 60_000,
  });
  // Loads all members in one request, like the other screens. A personal account has no other members.
  const members = useMembers({ enabled: organization?.type === 'team' && q !== '' });
  return {
    workflows: (workflows.data ?? []).filter(({ key, metadata, tags: own }) =>
      hasWords([metadata.title, key, ...own].join(' '), typed),
    ),
    tags: typed === '' ? [] : (tags.data ?? []).filter(({ tag }) => hasWords(tag, typed)).slice(0, MAX_FOUND),
    runs: (runs.data ?? []).filter(({ name, workflowTitle }) => hasWords(`${name} ${workflowTitle}`, typed)),
    people:
      typed === ''
        ? []
        : (members.data ?? []).filter(({ name, email }) => hasWords(`${name} ${email}`, typed)).slice(0, MAX_FOUND),
    isAsking: q !== typed || workflows.isFetching || runs.isFetching || tags.isLoading || members.isLoading,
    error: workflows.error ?? runs.error ?? tags.error ?? members.error,
  };
}
