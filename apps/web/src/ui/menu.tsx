import { Menu as MantineMenu } from '@mantine/core';
import { Check } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Fragment } from 'react';
import type { ReactElement } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import './popover.css';
import './menu.css';

export type MenuEntry = {
  label: string;
  icon?: LucideIcon;
  /** Marks the choice that stands; makes the entry a radio item. */
  checked?: boolean;
  danger?: boolean;
  disabled?: boolean;
  onPick: () => void;
};
export type MenuGroup = { label?: string; entries: readonly MenuEntry[] };

type MenuProps = { target: ReactElement; groups: readonly MenuGroup[]; position?: 'bottom-start' | 'bottom-end' };

/** A menu button: arrows move, Enter picks, Escape closes and returns focus. `target` is the button. */
export function Menu({ target, groups, position = 'bottom-end' }: MenuProps) {
  return (
    <MantineMenu position={position} offset={4} transitionProps={{ transition: 'fade', duration: 120 }}>
      <MantineMenu.Target>{target}</MantineMenu.Target>
      <MantineMenu.Dropdown className="pop menu">
        {groups.map((group, at) => (
          <Fragment key={group.label ?? at}>
            {at > 0 && <MantineMenu.Divider className="menu-divider" />}
            {group.label && <MantineMenu.Label className="menu-label">{group.label}</MantineMenu.Label>}
            {group.entries.map((entry) => (
              <MantineMenu.Item
                key={entry.label}
                className={classNames('menu-item', entry.danger && 'danger')}
                disabled={entry.disabled ?? false}
                onClick={entry.onPick}
                {...(entry.checked !== undefined && { role: 'menuitemradio', 'aria-checked': entry.checked })}
              >
                <span className="row grow">
                  {entry.icon && <Icon of={entry.icon} size="s" />}
                  {entry.label}
                  {entry.checked && (
                    <span className="menu-check">
                      <Icon of={Check} size="s" />
                    </span>
                  )}
                </span>
              </MantineMenu.Item>
            ))}
          </Fragment>
        ))}
      </MantineMenu.Dropdown>
    </MantineMenu>
  );
}
