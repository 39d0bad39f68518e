import { isolated } from '@stet/domain/workflows';
import type { RunStep } from '@stet/contract';
import { usePeople } from '../../../lib/session/use-members.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { cancelSchema } from '../api/use-change-run.ts';
import { SkipVotes } from '../../../step-types/run/skip-votes.tsx';
import type { RunActions } from './use-run-actions.ts';

/**
 * Asks for a reason before a step is skipped or the run is paused or cancelled, and for confirmation before a person
 * completes another person's step.
 */
export function RunDialog({ actions, onClose }: { actions: RunActions; onClose: () => void }) {
  const { asking } = actions;
  const { withNames } = usePeople();
  switch (asking.for) {
    case 'nothing':
    case 'question':
    case 'hand_over':
      return null;
    case 'skip': {
      const { step } = asking;
      const isVote = step.skip.required > 1;
      return (
        <ReasonDialog
          title={`Skip ${isolated(step.title)}?`}
          confirmLabel={isVote ? 'Agree to skip' : 'Skip step'}
          cancelLabel="Cancel"
          requiredSentence="Give a reason for skipping the step"
          busy={actions.pending?.do === 'skip' && 'Skipping…'}
          error={actions.errorOn(step.id)}
          onConfirm={(reason) => actions.change({ do: 'skip', stepId: step.id, reason })}
          onClose={onClose}
        >
          {isVote ? (
            <>
              <p>{skipWords(step)}</p>
              <SkipVotes skip={step.skip} />
            </>
          ) : (
            <p>The run continues without this step. The history shows who skipped it and why.</p>
          )}
        </ReasonDialog>
      );
    }
    case 'help':
      return (
        <ConfirmDialog
          open
          title={`This step is assigned to ${isolated(withNames(asking.step.assignedTo ?? 'someone else'))}. Complete it for them?`}
          confirmLabel="Complete"
          busy={actions.pending?.do === 'complete' && 'Completing…'}
          error={actions.errorOn(asking.step.id)}
          onConfirm={() => actions.change(asking.change)}
          onCancel={onClose}
        >
          The history shows that you helped.
        </ConfirmDialog>
      );
    case 'pause':
      return (
        <ReasonDialog
          title="Pause this run?"
          confirmLabel="Pause run"
          cancelLabel="Keep it running"
          busy={actions.pending?.do === 'pause' && 'Pausing…'}
          error={actions.runError}
          onConfirm={(reason) => actions.change({ do: 'pause', reason })}
          onClose={onClose}
        >
          <p>Its clocks stop until it is resumed. Owners and the person who started it are notified.</p>
        </ReasonDialog>
      );
    case 'cancel':
      return (
        <ReasonDialog
          title="Cancel this run?"
          confirmLabel="Cancel run"
          cancelLabel="Keep it running"
          danger
          schema={cancelSchema}
          busy={actions.pending?.do === 'cancel' && 'Cancelling…'}
          error={actions.runError}
          onConfirm={(reason) => actions.change({ do: 'cancel', reason })}
          onClose={onClose}
        >
          <p>The run stops permanently. Its history is kept.</p>
        </ReasonDialog>
      );
  }
}

function skipWords({ requiresApproval, skip }: RunStep): string {
  const missing = skip.required - skip.votes.length;
  if (missing === 1) return 'If you agree, the run continues without this step. The history shows who agreed and why.';
  if (requiresApproval) return 'This step’s input needs approval, so someone who can approve it must also agree.';
  return `This step needs ${skip.required} approvals, so the same number of people must agree to skip it.`;
}
