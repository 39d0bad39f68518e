import { useFocusTrap, useMediaQuery } from '@mantine/hooks';
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
 * 420 px of detail about what is selected in the list (specification, section 9). On a phone it lies over the list: there it
 * is a dialog, which keeps the focus until it is closed.
 */
export function SidePanel({
  label,
  head,
  closeLabel = 'Clear selection (Esc)',
  onClose,
  sheet = 'fitting',
  children,
}: SidePanelProps) {
  const covers = useMediaQuery('(max-width: 720px)', undefined, { getInitialValueInEffect: false }) ?? false;
  const trap = useFocusTrap(covers);
  useFocusBack(true);
  return (
    <div
      ref={trap}
      className={classNames('panel', sheet === 'full' && 'whole')}
      role={covers ? 'dialog' : 'complementary'}
      aria-modal={(covers && sheet === 'full') || undefined}
      aria-label={label}
    >
      <div className="row between" style={{ marginBottom: 8 }}>
        <span className="row">{head}</span>
        <IconButton label={closeLabel} icon={X} size="sm" onClick={onClose} />
      </div>
      {children}
    </div>
  );
}
