import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { useFocusBack } from './use-focus-back.ts';
import styles from './side-panel.module.css';

/**
 * A page with room for a docked panel. Up to a width of 1180 px, the panel overlays the page; up to 720 px, it is a
 * bottom sheet.
 */
export function Split({ panel, children }: { panel: ReactNode; children: ReactNode }) {
  const isOpen = Boolean(panel);
  return (
    <div data-panel={isOpen ? 'open' : undefined} className={classNames(styles.split, isOpen && styles.open)}>
      <div className={classNames('page', styles.main)}>{children}</div>
      {panel}
    </div>
  );
}

type SidePanelProps = {
  label: string;
  /** The content at the top left, beside the close button. */
  head: ReactNode;
  closeLabel?: string;
  onClose: () => void;
  /** The bottom sheet's height on phones: as high as its content, or the full height. */
  sheet?: 'fitting' | 'full';
  children: ReactNode;
};

/**
 * A panel of 420 px with details of the list's selected item (specification, section 9). The list keeps the keyboard,
 * even if the panel covers it: arrow keys select another row and Escape closes the panel. The close button returns the
 * focus to the list.
 */
export function SidePanel({
  label,
  head,
  closeLabel = 'Clear selection (Esc)',
  onClose,
  sheet = 'fitting',
  children,
}: SidePanelProps) {
  useFocusBack(true);
  return (
    <aside className={classNames(styles.panel, sheet === 'full' && styles.whole)} data-side-panel="" aria-label={label}>
      <div className="row between" style={{ marginBottom: 8 }}>
        <span className="row">{head}</span>
        <IconButton label={closeLabel} icon={X} size="sm" onClick={onClose} />
      </div>
      {children}
    </aside>
  );
}
