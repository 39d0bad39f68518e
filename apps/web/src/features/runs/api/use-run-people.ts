import { ORG_ROLES, groupAssignee } from '@stet/domain/access';
import { roleWord } from '../../../lib/format/org-role.ts';
import { useGroups } from '../../../lib/session/use-groups.ts';
import { useMembers } from '../../../lib/session/use-members.ts';

/** The choices of the filter for people that runs wait for: the members by name, then the groups and the roles. */
export function useRunPeople(): { value: string; label: string }[] {
  const { data = [] } = useMembers({ staleTime: 5 * 60_000 });
  const { data: groups = [] } = useGroups();
  return [
    ...data
      .map(({ email, name }) => ({ value: email.toLowerCase(), label: name }))
      .sort((one, other) => one.label.localeCompare(other.label)),
    ...groups.map(({ slug, name }) => ({ value: groupAssignee(slug), label: `${name} (group)` })),
    ...ORG_ROLES.map((role) => ({ value: role, label: `${roleWord(role)} (role)` })),
  ];
}
