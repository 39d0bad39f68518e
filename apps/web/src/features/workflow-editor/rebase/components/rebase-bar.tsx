import { ArrowDown } from 'lucide-react';
import { Button } from '../../../../ui/button.tsx';
import styles from './rebase-bar.module.css';

type RebaseBarProps = {
  total: number;
  open: number;
  busy: boolean;
  canRebase: boolean;
  onNextOpen: () => void;
  onRebase: () => void;
};

export function RebaseBar({ total, open, busy, canRebase, onNextOpen, onRebase }: RebaseBarProps) {
  const refusal = !canRebase
    ? 'Only owners, admins and editors can rebase drafts'
    : open > 0
      ? 'Resolve all conflicts first'
      : undefined;
  return (
    <div className={styles.rebaseBar} data-edge="foot">
      <div className={styles.rebaseBarIn}>
        {total > 0 && (
          <>
            <progress aria-label="Resolved conflicts" max={total} value={total - open} />
            <span role="status">
              {total - open} of {total} resolved
            </span>
          </>
        )}
        <span className="grow" />
        {open > 0 && (
          <Button icon={ArrowDown} onClick={onNextOpen}>
            Next conflict
          </Button>
        )}
        <Button tone="primary" busy={busy && 'Rebasing…'} disabledReason={refusal} onClick={onRebase}>
          Rebase draft
        </Button>
      </div>
    </div>
  );
}
