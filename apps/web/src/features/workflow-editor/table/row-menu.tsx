import { ArrowDown, ArrowUp, Copy, PanelRight, Plus, Trash2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import type { FocusEvent, KeyboardEvent } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { MenuItem } from '../../../ui/menu-item.tsx';
import { useFlip } from './use-flip.ts';
import styles from './step-table.module.css';

export type RowMenuAction = 'details' | 'insert' | 'duplicate' | 'move-up' | 'move-down' | 'delete';

const ENTRIES: readonly { action: RowMenuAction; label: string; icon: LucideIcon; keys?: string }[] = [
  { action: 'details', label: 'Step details', icon: PanelRight, keys: 'Ctrl+↵' },
  { action: 'insert', label: 'Insert step below', icon: Plus },
  { action: 'duplicate', label: 'Duplicate step', icon: Copy },
  { action: 'move-up', label: 'Move up', icon: ArrowUp, keys: 'Alt+↑' },
  { action: 'move-down', label: 'Move down', icon: ArrowDown, keys: 'Alt+↓' },
  { action: 'delete', label: 'Delete step', icon: Trash2 },
];

type RowMenuProps = {
  label: string;
  /** For each unavailable action, the reason. */
  refused: Partial<Record<RowMenuAction, string>>;
  onPick: (action: RowMenuAction) => void;
  onClose: () => void;
  onLeave: () => void;
};

/** A row's menu. It is created only when it is opened, because a thousand menus would be too slow. */
export function RowMenu({ label, refused, onPick, onClose, onLeave }: RowMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useFlip(menu);
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  useLayoutEffect(() => {
    menu.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const focus = (index: number) => {
      event.preventDefault();
      all.at(index % all.length)?.focus();
    };
    if (event.key === 'ArrowDown') focus(at + 1);
    else if (event.key === 'ArrowUp') focus(at - 1);
    else if (event.key === 'Home') focus(0);
    else if (event.key === 'End') focus(-1);
    else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onClose();
    }
  };
  const onBlur = (event: FocusEvent) => {
    const to = event.relatedTarget;
    if (to instanceof Node && !event.currentTarget.contains(to)) onLeave();
  };

  return (
    <div
      ref={menu}
      className={classNames(styles.cellPop, styles.rowMenu)}
      data-cell-part="popup"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      {ENTRIES.map(({ action, label: entryLabel, icon, keys }) => (
        <MenuItem
          key={action}
          icon={icon}
          danger={action === 'delete'}
          aria-disabled={refused[action] ? true : undefined}
          title={refused[action]}
          onClick={() => !refused[action] && onPick(action)}
        >
          <span>{entryLabel}</span>
          {keys && <span className={styles.rowMenuKeys}>{keys}</span>}
        </MenuItem>
      ))}
    </div>
  );
}
