import { Menu as MantineMenu } from '@mantine/core';
import { Check } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Fragment } from 'react';
import type { ReactElement } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { menuItemClass } from './menu-item.tsx';
import popoverStyles from './popover.module.css';
import styles from './menu.module.css';

type MenuEntry = {
  label: string;
  icon?: LucideIcon;
  /** Whether this entry is the current choice. If set, the entry is a radio item. */
  checked?: boolean;
  danger?: boolean;
  disabled?: boolean;
  onPick: () => void;
};
export type MenuGroup = { label?: string; entries: readonly MenuEntry[] };

type MenuProps = { target: ReactElement; groups: readonly MenuGroup[]; position?: 'bottom-start' | 'bottom-end' };

/** The id of the landmark that contains the open menu. */
export const OPEN_MENU = 'open-menu';

/**
 * A menu with its button, `target`. Arrow keys move, Enter chooses, and Escape closes the menu and returns the focus.
 */
export function Menu({ target, groups, position = 'bottom-end' }: MenuProps) {
  return (
    // Focus the first entry, because the library's placeholder before it isn't a valid child of a menu.
    <MantineMenu
      withInitialFocusPlaceholder={false}
      position={position}
      offset={4}
      portalProps={{ target: `#${OPEN_MENU}` }}
      transitionProps={{ transition: 'fade', duration: 120 }}
    >
      <MantineMenu.Target>{target}</MantineMenu.Target>
      <MantineMenu.Dropdown className={classNames(popoverStyles.popover, styles.menu)}>
        {groups.map((group, at) => (
          <Fragment key={group.label ?? at}>
            {at > 0 && <MantineMenu.Divider className={styles.divider} />}
            {group.label && (
              // Screen readers don't need the group's name, because the entries are self-explanatory.
              <MantineMenu.Label className={styles.label} role="presentation">
                {group.label}
              </MantineMenu.Label>
            )}
            {group.entries.map((entry) => (
              <MenuLine key={entry.label} {...entry} />
            ))}
          </Fragment>
        ))}
      </MantineMenu.Dropdown>
    </MantineMenu>
  );
}

/** Focuses the menu's button, so that a layer opened by the entry can return the focus. The entry itself is removed. */
function focusButtonOf(entry: HTMLElement): void {
  const id = entry.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  if (id) document.getElementById(id)?.focus();
}

function MenuLine({ label, icon, checked, danger, disabled = false, onPick }: MenuEntry) {
  const className = menuItemClass(danger);
  const words = (
    <span className="row">
      {icon && <Icon of={icon} size="s" />}
      {label}
    </span>
  );
  if (checked === undefined) {
    return (
      <MantineMenu.Item
        className={className}
        disabled={disabled}
        onClick={({ currentTarget }) => {
          focusButtonOf(currentTarget);
          onPick();
        }}
      >
        {words}
      </MantineMenu.Item>
    );
  }
  return (
    <MantineMenu.RadioItem
      className={className}
      classNames={{ itemIndicator: styles.check }}
      disabled={disabled}
      value={label}
      checked={checked}
      onChange={onPick}
      checkIcon={<Icon of={Check} size="s" />}
      closeMenuOnClick
    >
      {words}
    </MantineMenu.RadioItem>
  );
}
