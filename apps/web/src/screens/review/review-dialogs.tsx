import type { DraftImpact, WholeDraft } from '@stet/contract';
import { displayTitle, isolated } from '@stet/domain/workflows';
import { useNavigate } from 'react-router';
import { emergencySchema, setAsideSchema } from '../../features/review/api/use-change-review.ts';
import { type ActingReviewer, reviewerName } from '../../features/review/model/acting-reviewer.ts';
import { paths } from '../../lib/paths.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ReasonDialog } from '../../ui/reason-dialog.tsx';
import { SubmitDialog } from '../../ui/submit-dialog.tsx';
import type { ReviewActions } from './use-review-actions.ts';
import styles from './review-screen.module.css';

export type Asking =
  | 'nothing'
  | 'submit'
  | 'approve'
  | 'merge'
  | 'emergency'
  | { setAside: WholeDraft['objections'][number] };

type ReviewDialogsProps = {
  asking: Asking;
  draft: WholeDraft;
  isSelfApproval: boolean;
  /** The person for whom the user approves as their delegate; null if they approve for themselves. */
  actsFor: ActingReviewer['onBehalfOf'];
  impact: DraftImpact | undefined;
  actions: ReviewActions;
  onClose: () => void;
};

/**
 * The dialogs of the review: the confirmations of an approval and of a merge, with a summary of the changes; the
 * submission; and the reasons for a merge without a review and for setting a request aside.
 */
export function ReviewDialogs({
  asking,
  draft,
  isSelfApproval,
  actsFor,
  impact,
  actions,
  onClose,
}: ReviewDialogsProps) {
  const navigate = useNavigate();
  const title = displayTitle(draft.key, draft.metadata.title);
  const running = (impact?.openRuns ?? []).reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <ConfirmDialog
        open={asking === 'approve'}
        title={`Approve ${isolated(title)}${actsFor ? ` for ${isolated(actsFor.name)}` : ''}?`}
        confirmLabel={actsFor ? `Approve for ${isolated(actsFor.name)}` : 'Approve'}
        onCancel={onClose}
        onConfirm={() => {
          actions.decide('approve', actsFor?.id);
          onClose();
        }}
      >
        <ChangesInWords impact={impact} />
        {isSelfApproval
          ? 'You contributed to this draft, and nobody else here can review it. The audit trail will say “self-approved: no other reviewer”.'
          : 'You are approving exactly this content. Any later change dismisses your approval.'}
        {actsFor && ` It counts once, as both your approval and ${isolated(actsFor.name)}’s.`}
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'merge'}
        title={`Merge ${isolated(title)} as v${draft.nextVersion}?`}
        confirmLabel={`Merge as v${draft.nextVersion}`}
        busy={actions.taking === 'merge' && 'Merging…'}
        onCancel={onClose}
        onConfirm={() => actions.take({ do: 'merge' }, onClose)}
      >
        <ChangesInWords impact={impact} />
        <ApprovedBy draft={draft} />
        {draft.liveVersion === null
          ? 'It becomes the live version for new runs.'
          : `It replaces v${draft.liveVersion} as the live version for new runs.`}
        {running > 0 &&
          ` ${running === 1 ? '1 open run stays on the version that it was started with' : `${running} open runs stay on the versions that they were started with`}.`}
      </ConfirmDialog>
      {asking === 'submit' && (
        <SubmitDialog
          draft={draft}
          busy={actions.taking === 'submit'}
          error={actions.stepProblem}
          onSubmit={(submission) => actions.take({ do: 'submit', ...submission }, onClose)}
          onStep={() => void navigate(paths.editor({ key: draft.key, mode: 'edit', draftId: draft.id }))}
          onClose={onClose}
        />
      )}
      {asking === 'emergency' && (
        <ReasonDialog
          title={`Merge ${isolated(title)} as v${draft.nextVersion} in an emergency?`}
          confirmLabel={`Merge as v${draft.nextVersion}`}
          cancelLabel="Cancel"
          danger
          schema={emergencySchema}
          busy={actions.taking === 'merge' && 'Merging…'}
          error={actions.stepProblem}
          onConfirm={(reason) => actions.take({ do: 'emergency', reason }, onClose)}
          onClose={onClose}
        >
          It goes live without the missing review, and everyone here is notified. The version, its runs and the audit
          trail say “emergency, not ratified” until another owner or admin ratifies it.
        </ReasonDialog>
      )}
      {typeof asking === 'object' && (
        <ReasonDialog
          title={`Set aside the request by ${isolated(asking.setAside.reviewer.name)}?`}
          confirmLabel="Set aside"
          cancelLabel="Cancel"
          schema={setAsideSchema}
          busy={actions.taking === 'set-aside' && 'Setting aside…'}
          error={actions.stepProblem}
          onConfirm={(reason) =>
            actions.take({ do: 'set-aside', reviewerId: asking.setAside.reviewer.id, reason }, onClose)
          }
          onClose={onClose}
        >
          They can’t approve this draft, so they can’t end the request themselves. The audit trail records the request
          and why it was set aside.
        </ReasonDialog>
      )}
    </>
  );
}

/** A summary of the changes: their number, and each control that is lost. */
function ChangesInWords({ impact }: Pick<ReviewDialogsProps, 'impact'>) {
  if (!impact) return null;
  return (
    <>
      <p>{changesInWords(impact)}</p>
      {impact.controlLosses.length > 0 && (
        <ul className={styles.losses} aria-label="Controls lost or weakened">
          {impact.controlLosses.map(({ sentence }) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The number of changed steps by kind. */
function changesInWords({ steps, workflows }: DraftImpact): string {
  const kinds = (['added', 'removed', 'modified'] as const).filter((kind) => steps[kind] > 0);
  if (kinds.length === 0) return workflows === 0 ? 'Nothing has changed.' : 'Only the name or description has changed.';
  const counts = kinds.map((kind, n) => {
    const what = n > 0 ? '' : steps[kind] === 1 ? 'step ' : 'steps ';
    return `${steps[kind]} ${what}${kind}`;
  });
  return `Changes: ${counts.join(', ')}.`;
}

/** The people whose approvals count. */
function ApprovedBy({ draft: { reviews } }: { draft: WholeDraft }) {
  const names = reviews
    .filter(({ verdict, standing }) => verdict === 'approved' && standing === 'counts')
    .map(reviewerName);
  return names.length === 0 ? null : <p>Approved by {names.join(', ')}.</p>;
}
