import { Popover as MantinePopover } from '@mantine/core';
import type { FloatingPosition } from '@mantine/core';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { OPEN_MENU } from './menu.tsx';
import { classNames } from './class-names.ts';
import styles from './popover.module.css';

type PopoverProps = {
  open: boolean;
  onClose: () => void;
  /** An element that accepts a ref. The popover is placed beside it, on the side that has enough room. */
  target: ReactElement;
  position?: FloatingPosition;
  /** The popover's name for screen readers. */
  label: string;
  /** Whether Tab stays inside while the popover is open. */
  trapFocus?: boolean;
  children: ReactNode;
};

/** A small layer beside its target. Escape or a click elsewhere closes it. */
export function Popover({
  open,
  onClose,
  target,
  position = 'bottom-start',
  label,
  trapFocus = false,
  children,
}: PopoverProps) {
  return (
    <MantinePopover
      opened={open}
      onDismiss={onClose}
      onClose={onClose}
      position={position}
      trapFocus={trapFocus}
      returnFocus={trapFocus}
      offset={4}
      middlewares={{ flip: true, shift: { padding: 8 } }}
      transitionProps={{ transition: 'fade', duration: 120 }}
    >
      <MantinePopover.Target>{target}</MantinePopover.Target>
      <MantinePopover.Dropdown className={styles.popover} aria-label={label}>
        {children}
      </MantinePopover.Dropdown>
    </MantinePopover>
  );
}

type ListPopoverProps = Pick<ComponentProps<'div'>, 'id' | 'role' | 'aria-label' | 'className'> &
  Pick<PopoverProps, 'open' | 'target' | 'children'>;

/** The options for a text field (`target`). The field keeps the focus and closes the list (`useListbox`). */
export function ListPopover({ open, target, className, children, ...list }: ListPopoverProps) {
  return (
    <MantinePopover
      opened={open}
      withRoles={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      position="bottom-start"
      offset={4}
      middlewares={{ flip: true, shift: { padding: 8 } }}
      portalProps={{ target: `#${OPEN_MENU}` }}
      transitionProps={{ duration: 0 }}
    >
      <MantinePopover.Target>{target}</MantinePopover.Target>
      <MantinePopover.Dropdown className={classNames(styles.popover, className)} {...list}>
        {children}
      </MantinePopover.Dropdown>
    </MantinePopover>
  );
}
