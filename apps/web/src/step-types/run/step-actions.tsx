import type { RunStep } from '@stet/contract';
import { ArrowRightLeft, Hand, MessageCircleQuestionMark, SkipForward, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUser } from '../../lib/session/signed-in.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import { Who } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import type { StepPanelProps } from './step-panel-props.ts';
import styles from './step-panel.module.css';

type StepActionsProps = {
  step: RunStep;
  onSkip: () => void;
  /** Null if there is nobody to ask. */
  onAsk?: (() => void) | null;
  /** Absent for steps that can't be claimed or handed over. */
  holding?: Pick<StepPanelProps, 'pending' | 'onChange' | 'onHandOver'>;
  children?: ReactNode;
};

/** A panel's buttons, with Skip last, and the step's assignee. People who can do the step can ask someone about it. */
export function StepActions({ step, onSkip, onAsk = null, holding, children }: StepActionsProps) {
  const { complete, approve, reject, skip, claim, release, handOver } = step.abilities;
  const { id: userId } = useUser();
  // Someone who handed an approval over takes it back from the person who has it.
  const isGiver =
    step.type === 'approval' &&
    step.handedOver.some(({ by }) => by.id === userId) &&
    !step.handedOver.some(({ to }) => to.kind === 'person' && to.id === userId);
  const change = (what: 'claim' | 'release') =>
    void holding?.onChange({ do: what, stepId: step.id }).catch(() => undefined);
  return (
    <div className={styles.actions}>
      {children}
      {holding && claim && (
        <Button icon={Hand} busy={holding.pending === 'claim' && 'Claiming…'} onClick={() => change('claim')}>
          Claim
        </Button>
      )}
      {holding && release && (
        <Button
          tone="quiet"
          icon={Undo2}
          busy={holding.pending === 'release' && 'Releasing…'}
          onClick={() => change('release')}
        >
          {isGiver ? 'Take back' : 'Release'}
        </Button>
      )}
      {holding && handOver && (
        <Button tone="quiet" icon={ArrowRightLeft} onClick={holding.onHandOver}>
          Hand over…
        </Button>
      )}
      {onAsk && (complete || approve || reject) && (
        <Button tone="quiet" icon={MessageCircleQuestionMark} onClick={onAsk}>
          Ask a colleague
        </Button>
      )}
      {skip && (
        <Button tone="quiet" icon={SkipForward} onClick={onSkip}>
          Skip
        </Button>
      )}
      <span className={styles.owner}>
        <Owner assignee={step.assignee} />
      </span>
    </div>
  );
}

export const isNobodys = (assignee: string): boolean =>
  assignee.trim() === '' || assignee.toLowerCase() === 'unassigned';

function Owner({ assignee }: { assignee: string }) {
  const { email } = useUser();
  const { personOf } = usePeople();
  if (isNobodys(assignee)) return <>Unassigned</>;
  if (assignee.toLowerCase() === email.toLowerCase()) return <>Assigned to you</>;
  return (
    <>
      Assigned to <Who {...personOf(assignee)} />
    </>
  );
}
