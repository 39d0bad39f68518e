import type { DraftImpact, WholeDraft } from '@stet/contract';
import { displayTitle, isolated } from '@stet/domain/workflows';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { ReviewActions } from './use-review-actions.ts';

export type Asking = 'nothing' | 'approve' | 'merge';

type ReviewDialogsProps = {
  asking: Asking;
  draft: WholeDraft;
  isSelfApproval: boolean;
  openRuns: DraftImpact['openRuns'];
  actions: ReviewActions;
  onClose: () => void;
};

/** Asks before a merge, before an approval by keys, and before one of one's own draft. */
export function ReviewDialogs({ asking, draft, isSelfApproval, openRuns, actions, onClose }: ReviewDialogsProps) {
  const title = displayTitle(draft.key, draft.metadata.title);
  const running = openRuns.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <ConfirmDialog
        open={asking === 'approve'}
        title={`Approve ${isolated(title)}?`}
        confirmLabel="Approve"
        onCancel={onClose}
        onConfirm={() => {
          actions.decide('approve');
          onClose();
        }}
      >
        {isSelfApproval
          ? 'You contributed to this draft, and nobody else here can review it. The audit trail will say “self-approved: no other reviewer”.'
          : 'Your approval is of exactly this content. A change dismisses it.'}
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'merge'}
        title={`Merge ${isolated(title)} as v${draft.nextVersion}?`}
        confirmLabel={`Merge as v${draft.nextVersion}`}
        busy={actions.taking === 'merge' && 'Merging…'}
        onCancel={onClose}
        onConfirm={() => actions.take('merge', onClose)}
      >
        {draft.liveVersion === null
          ? 'It becomes the live version, which new runs use.'
          : `It becomes the live version, which new runs use, in the place of v${draft.liveVersion}.`}
        {running > 0 && ` ${running === 1 ? '1 open run stays' : `${running} open runs stay`} on what it began with.`}
      </ConfirmDialog>
    </>
  );
}
