import { STARTER, assignedGroup, assigneeNames, groupAssignee } from '@stet/domain/access';
import { visibleText } from '@stet/domain/workflows';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../api/api.ts';
import { useUser } from './signed-in.ts';
import { groupsQuery } from './use-groups.ts';

/** Shown for the assignee `starter`. */
export const STARTER_NAME = 'Run starter';

const NAMES_STALE_MS = 5 * 60_000;
/** An address doesn't include punctuation at the end of a sentence. */
const ADDRESS = /[^\s@,;:()“”]+@[^\s@,;:()“”]*[^\s@,;:()“”.]/g;

export const membersKey = (organizationId: string) => ['organization', organizationId, 'members'] as const;

export const membersQuery = (id: string) => ({
  queryKey: membersKey(id),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api('GET /api/organizations/{id}/users', { params: { id }, signal }),
});

/** All members of the selected organization. */
export function useMembers(options: { enabled?: boolean; staleTime?: number } = {}) {
  const { currentOrgId } = useUser();
  return useQuery({
    ...membersQuery(currentOrgId ?? ''),
    ...options,
    enabled: currentOrgId !== null && options.enabled !== false,
  });
}

const GROUP = /group:[a-z0-9-]+/gi;

/**
 * A displayed assignee, which can be several people, groups and roles. If a name is known for any of them, `name` has
 * the names and `address` the stored text; otherwise `name` is the stored text.
 */
export type Person = { name: string; address?: string };

type People = {
  personOf: (assignee: string) => Person;
  /** Replaces addresses of members and slugs of groups in a text with their `nameOf`. */
  withNames: (text: string) => string;
  /**
   * The name of a member (with the address if another member has the same name), of a group or of the starter. Any other
   * text is returned unchanged.
   */
  nameOf: (assignee: string) => string;
  /** Screens wait for the names, because replacing addresses with shorter names later would move the content below. */
  isLoading: boolean;
};

const comparable = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

/**
 * Shows members' addresses, groups' slugs and `starter` as names. Any other text stays as stored, and so do addresses
 * while the members load.
 */
export function usePeople(): People {
  const { currentOrgId } = useUser();
  const { data, isLoading: isFetching, isFetched } = useMembers({ staleTime: NAMES_STALE_MS });
  // If the names can't be loaded, screens show addresses. A later attempt must not hide the members that are already
  // shown.
  const isLoading = isFetching && !isFetched;
  const { data: groups } = useQuery({
    ...groupsQuery(currentOrgId),
    enabled: currentOrgId !== null,
    staleTime: NAMES_STALE_MS,
  });
  return useMemo(() => {
    const names = new Map(data?.map(({ email, name }) => [email.toLowerCase(), name]));
    const isShared = (name: string) =>
      (data ?? []).filter((member) => comparable(member.name) === comparable(name)).length > 1;
    for (const { slug, name } of groups ?? []) names.set(groupAssignee(slug), name);
    names.set(STARTER, STARTER_NAME);
    const nameAt = (address: string) => names.get(address.trim().toLowerCase());
    const nameOf = (assignee: string) => {
      const name = nameAt(assignee);
      if (name === undefined) return assignee;
      return isShared(name) ? `${visibleText(name)} (${assignee})` : visibleText(name);
    };
    return {
      personOf: (assignee) => {
        const all = assigneeNames(assignee);
        const known = all.length > 1 ? all.map((each) => nameAt(each) ?? each).join(', ') : nameAt(assignee);
        return known === undefined || known === assignee ? { name: assignee } : { name: known, address: assignee };
      },
      nameOf,
      withNames: (text) =>
        text.replace(ADDRESS, nameOf).replace(GROUP, (name) => (assignedGroup(name) === null ? name : nameOf(name))),
      isLoading,
    };
  }, [data, groups, isLoading]);
}
