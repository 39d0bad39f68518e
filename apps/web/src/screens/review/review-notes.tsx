import { isolated } from '@stet/domain/workflows';
import type { WholeDraft } from '@stet/contract';
import { isBehind } from '../../features/review/model/compare-options.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';

type ReviewNotesProps = {
  draft: WholeDraft;
  mayReview: boolean;
  isContributor: boolean;
  isStale: boolean;
  isLoading: boolean;
  onShow: () => void;
};

/** What has to be known before reading on, and why there may be no buttons. */
export function ReviewNotes({ draft, mayReview, isContributor, isStale, isLoading, onShow }: ReviewNotesProps) {
  const { merged, abilities, contributors, version, status } = draft;
  return (
    <div className="review-notes">
      {isStale && (
        <Note tone="warn">
          {isolated(contributors[0]?.name ?? 'Someone')} has saved this draft since you opened it.{' '}
          <Button size="sm" busy={isLoading && 'Loading…'} onClick={onShow}>
            Show what stands now
          </Button>
        </Note>
      )}
      {isBehind(draft) && (
        <Note tone="warn">
          v{draft.liveVersion} went live after this draft began from v{draft.baseVersion}. Below is what the draft
          changes in v{draft.baseVersion}.
        </Note>
      )}
      {merged && (
        <Note tone="ok">
          {status === 'live'
            ? `This is v${version}, the live version.`
            : `This is v${version}; a later version is live.`}{' '}
          Below is what it changed.
        </Note>
      )}
      {!merged && isContributor && mayReview && !abilities.approve && (
        <Note tone="me">You contributed to this draft, so someone else has to review it.</Note>
      )}
      {!merged && isContributor && abilities.approve && (
        <Note tone="me">
          You contributed to this draft, and nobody else here can review it. The audit trail will say so.
        </Note>
      )}
    </div>
  );
}
