import { visibleText } from '@stet/domain/workflows';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../api/api.ts';
import { useUser } from './signed-in.ts';

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

/** An assignee as shown: a member's name with their address, or the stored text. */
export type Person = { name: string; address?: string };

type People = {
  personOf: (assignee: string) => Person;
  withNames: (text: string) => string;
  /** The name of a member; with the address if another member has the same name. */
  nameOf: (assignee: string) => string;
  /** Screens wait for the names, because replacing addresses with shorter names later would move the content below. */
  isLoading: boolean;
};

const comparable = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** Shows members' addresses as names. Any other text stays as stored, and so do addresses while the members load. */
export function usePeople(): People {
  const { data, isLoading: isFetching, isFetched } = useMembers({ staleTime: NAMES_STALE_MS });
  // If the names can't be loaded, screens show addresses. A later attempt must not hide what is already shown.
  const isLoading = isFetching && !isFetched;
  return useMemo(() => {
    const names = new Map(data?.map(({ email, name }) => [email.toLowerCase(), name]));
    const isShared = (name: string) =>
      (data ?? []).filter((member) => comparable(member.name) === comparable(name)).length > 1;
    const nameAt = (address: string) => names.get(address.trim().toLowerCase());
    return {
      personOf: (assignee) => {
        const name = nameAt(assignee);
        return name === undefined ? { name: assignee } : { name, address: assignee };
      },
      nameOf: (assignee) => {
        const name = nameAt(assignee);
        if (name === undefined) return assignee;
        return isShared(name) ? `${visibleText(name)} (${assignee})` : visibleText(name);
      },
      withNames: (text) => text.replace(ADDRESS, (address) => nameAt(address) ?? address),
      isLoading,
    };
  }, [data, isLoading]);
}
