import { isolated } from '@stet/domain/workflows';
import type { RunStep } from '@stet/contract';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import type { RunChange } from '../api/use-change-run.ts';
import { SkipVotes } from './skip-votes.tsx';
import type { RunActions } from './use-run-actions.ts';

/** Which dialog is open. */
export type Asking =
  | { for: 'nothing' }
  | { for: 'skip'; step: RunStep }
  /** Before someone completes a step that names others. */
  | { for: 'help'; step: RunStep; change: Extract<RunChange, { do: 'complete' }> }
  | { for: 'pause' }
  | { for: 'cancel' };

/** Asks why, before a step is skipped or the run is paused or cancelled; and whether to help on someone else's step. */
export function RunDialogs({ asking, actions, onClose }: { asking: Asking; actions: RunActions; onClose: () => void }) {
  switch (asking.for) {
    case 'nothing':
      return null;
    case 'skip': {
      const { step } = asking;
      const isVote = step.skip.required > 1;
      return (
        <ReasonDialog
          title={`Skip ${isolated(step.title)}?`}
          confirmLabel={isVote ? 'Agree to skip' : 'Skip step'}
          cancelLabel="Cancel"
          requiredSentence="Say why the step is skipped"
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
            <p>The run goes on without it, and the history says who skipped it and why.</p>
          )}
        </ReasonDialog>
      );
    }
    case 'help':
      return (
        <ConfirmDialog
          open
          title={`This step is assigned to ${isolated(asking.step.assignedTo ?? 'someone else')}. Complete it for them?`}
          confirmLabel="Complete"
          busy={actions.pending?.do === 'complete' && 'Completing…'}
          error={actions.errorOn(asking.step.id)}
          onConfirm={() => actions.change(asking.change)}
          onCancel={onClose}
        >
          The history says that you helped.
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
          <p>Its clocks stand still until someone resumes it. Owners and whoever started it are notified.</p>
        </ReasonDialog>
      );
    case 'cancel':
      return (
        <ReasonDialog
          title="Cancel this run?"
          confirmLabel="Cancel run"
          cancelLabel="Keep it running"
          danger
          requiredSentence="Say why the run is cancelled"
          busy={actions.pending?.do === 'cancel' && 'Cancelling…'}
          error={actions.runError}
          onConfirm={(reason) => actions.change({ do: 'cancel', reason })}
          onClose={onClose}
        >
          <p>It ends for good where it is. Its history stays.</p>
        </ReasonDialog>
      );
  }
}

function skipWords({ type, skip }: RunStep): string {
  const missing = skip.required - skip.votes.length;
  if (missing === 1) return 'The run goes on without it once you agree. The history says who agreed and why.';
  if (type === 'manual') return 'Its input needs approval, so someone who could approve it has to agree as well.';
  return `It takes ${skip.required} people to approve this step, so it takes as many to skip it.`;
}
