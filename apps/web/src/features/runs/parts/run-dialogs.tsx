import { isolated } from '@stet/domain/workflows';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import type { RunActions } from './use-run-actions.ts';

/** Which dialog is open. */
export type Asking = { for: 'nothing' } | { for: 'skip'; stepId: string; title: string } | { for: 'cancel' };

/** Asks why, before a step is skipped or the run is cancelled. */
export function RunDialogs({ asking, actions, onClose }: { asking: Asking; actions: RunActions; onClose: () => void }) {
  switch (asking.for) {
    case 'nothing':
      return null;
    case 'skip':
      return (
        <ReasonDialog
          title={`Skip ${isolated(asking.title)}?`}
          confirmLabel="Skip step"
          cancelLabel="Cancel"
          busy={actions.pending?.do === 'skip' && 'Skipping…'}
          error={actions.errorOn(asking.stepId)}
          onConfirm={(reason) => actions.change({ do: 'skip', stepId: asking.stepId, reason })}
          onClose={onClose}
        >
          The run goes on without it, and the history says who skipped it and why.
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
          It ends for good where it is. Its history stays.
        </ReasonDialog>
      );
  }
}
