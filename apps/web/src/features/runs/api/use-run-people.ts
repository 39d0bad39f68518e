import { ORG_ROLES } from '@stet/domain/access';
import { roleWord } from '../../../lib/format/org-role.ts';
import { useMembers } from '../../../lib/session/use-members.ts';

/** The choices of the filter for people that runs wait for: the members by name, then the roles. */
export function useRunPeople(): { value: string; label: string }[] {
  const { data = [] } = useMembers({ staleTime: 5 * 60_000 });
  return [
    ...data
      .map(({ email, name }) => ({ value: email.toLowerCase(), label: name }))
      .sort((one, other) => one.label.localeCompare(other.label)),
    ...ORG_ROLES.map((role) => ({ value: role, label: `${roleWord(role)} (role)` })),
  ];
}
