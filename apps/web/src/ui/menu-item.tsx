import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Pressable } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './menu.module.css';

export const menuItemClass = (danger: boolean | undefined) => classNames(styles.item, danger && styles.danger);

type MenuItemProps = Omit<ComponentProps<typeof Pressable>, 'className' | 'role'> & {
  icon: LucideIcon;
  danger?: boolean;
  children: ReactNode;
};

/** An entry for menus that handle their keys themselves, unlike `Menu`, such as the row menu of the step table. */
export function MenuItem({ icon, danger, children, ...rest }: MenuItemProps) {
  return (
    <Pressable role="menuitem" tabIndex={-1} {...rest} className={menuItemClass(danger)}>
      <Icon of={icon} size="s" />
      {children}
    </Pressable>
  );
}
