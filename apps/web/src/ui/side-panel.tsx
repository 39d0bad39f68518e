import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { useFocusBack } from './use-focus-back.ts';
import './side-panel.css';

/** A page with room for a docked panel. Under 1180 px the panel lies over the page, under 720 px it is a bottom sheet. */
export function Split({ panel, children }: { panel: ReactNode; children: ReactNode }) {
  return (
    <div className={classNames('split', Boolean(panel) && 'open')}>
      <div className="page">{children}</div>
      {panel}
    </div>
  );
}

type SidePanelProps = {
  label: string;
  /** What stands at the top left, beside the close button. */
  head: ReactNode;
  closeLabel?: string;
  onClose: () => void;
  /** What the sheet takes of a phone's height: no more than it needs, or all. */
  sheet?: 'fitting' | 'full';
  children: ReactNode;
};

/**
 * 420 px of detail about what is selected in the list (specification, section 9). The list keeps its keys meanwhile, also
 * where the panel lies over it: arrows go on to the next row, Escape closes. Closed by its button it gives focus back.
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
    <aside className={classNames('panel', sheet === 'full' && 'whole')} aria-label={label}>
      <div className="row between" style={{ marginBottom: 8 }}>
        <span className="row">{head}</span>
        <IconButton label={closeLabel} icon={X} size="sm" onClick={onClose} />
      </div>
      {children}
    </aside>
  );
}
