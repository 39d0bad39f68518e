import type { Member } from '@stet/contract';
import { ChevronDown } from 'lucide-react';
import { roleWord } from '../../../lib/format/org-role.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';

type RoleMenuProps = {
  member: Member;
  roles: readonly Member['role'][];
  onPick: (role: Member['role']) => void;
};

/** A member's role, with a menu if it can be changed. A select would change the role with every arrow key. */
export function RoleMenu({ member, roles, onPick }: RoleMenuProps) {
  if (roles.length < 2) return <span>{roleWord(member.role)}</span>;
  return (
    <Menu
      position="bottom-start"
      target={
        <Button size="sm" aria-label={`${roleWord(member.role)}, role of ${member.name}`}>
          {roleWord(member.role)}
          <Icon of={ChevronDown} size="s" />
        </Button>
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
