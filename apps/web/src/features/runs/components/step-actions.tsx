import { isolated } from '@stet/domain/workflows';
import type { RunStep } from '@stet/contract';
import { SkipForward } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUser } from '../../../lib/session/signed-in.ts';
import { Button } from '../../../ui/button.tsx';
import styles from './step-panel.module.css';

/** The buttons of a panel, with Skip last, and the step's assignee. */
export function StepActions({ step, onSkip, children }: { step: RunStep; onSkip: () => void; children?: ReactNode }) {
  const { email } = useUser();
  return (
    <div className={styles.acts}>
      {children}
      {step.abilities.skip && (
        <Button tone="quiet" icon={SkipForward} onClick={onSkip}>
          Skip
        </Button>
      )}
      <span className={styles.owner}>{ownerWords(step.assignee, email)}</span>
    </div>
  );
}

export const isNobodys = (assignee: string): boolean =>
  assignee.trim() === '' || assignee.toLowerCase() === 'unassigned';

function ownerWords(assignee: string, me: string): string {
  if (isNobodys(assignee)) return 'Unassigned';
  return `Assigned to ${assignee.toLowerCase() === me.toLowerCase() ? 'you' : isolated(assignee)}`;
}
