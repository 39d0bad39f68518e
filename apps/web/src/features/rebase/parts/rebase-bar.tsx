import { ArrowDown } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import './rebase-bar.css';

type RebaseBarProps = {
  total: number;
  open: number;
  busy: boolean;
  mayRebase: boolean;
  onNextOpen: () => void;
  onRebase: () => void;
};

/** How far one has come, the way to what is open, and the end of it. */
export function RebaseBar({ total, open, busy, mayRebase, onNextOpen, onRebase }: RebaseBarProps) {
  const refusal = !mayRebase
    ? 'Editors of this organization can rebase drafts'
    : open > 0
      ? 'Settle what both sides changed first'
      : undefined;
  return (
    <div className="rebase-bar" data-edge="foot">
      <div className="rebase-bar-in">
        {total > 0 && (
          <>
            <progress aria-label="Settled" max={total} value={total - open} />
            <span role="status">
              {total - open} of {total} settled
            </span>
          </>
        )}
        <span className="grow" />
        {open > 0 && (
          <Button icon={ArrowDown} onClick={onNextOpen}>
            Next open
          </Button>
        )}
        <Button tone="primary" busy={busy && 'Rebasing…'} disabledReason={refusal} onClick={onRebase}>
          Rebase draft
        </Button>
      </div>
    </div>
  );
}
