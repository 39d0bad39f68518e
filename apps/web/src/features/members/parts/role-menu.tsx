import type { Member } from '@stet/contract';
import { ChevronDown } from 'lucide-react';
import { roleWord } from '../../../lib/format/org-role.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';

type RoleMenuProps = {
  member: Member;
  roles: readonly Member['role'][];
  onPick: (role: Member['role']) => void;
};

/** A member's role; a menu where there is a choice. Not a select: that would change the role with every arrow key. */
export function RoleMenu({ member, roles, onPick }: RoleMenuProps) {
  if (roles.length < 2) return <span className="member-role">{roleWord(member.role)}</span>;
  return (
    <Menu
      position="bottom-start"
      target={
        <button type="button" className="btn sm" aria-label={`${roleWord(member.role)}, role of ${member.name}`}>
          {roleWord(member.role)}
          <Icon of={ChevronDown} size="s" />
        </button>
      }
      groups={[
        {
          entries: roles.map((role) => ({
            label: roleWord(role),
            checked: role === member.role,
            onPick: () => role !== member.role && onPick(role),
          })),
        },
      ]}
    />
  );
}
