import { isolated } from '@stet/domain/workflows';
import type { User, WholeDraft } from '@stet/contract';
import { ProofNote } from '../../features/proof/components/proof-note.tsx';
import { isBehind } from '../../features/review/model/compare-options.ts';
import { emergencyWords } from '../../lib/format/emergency-words.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import styles from './review-screen.module.css';

type ReviewNotesProps = {
  draft: WholeDraft;
  canReview: boolean;
  userId: string;
  /** How the reader's account is proved; null if it isn't. */
  provedBy: User['provedBy'];
  /** Whether the reader's role permits reviews, but the account must be proved first. */
  isReviewWithheld: boolean;
  isStale: boolean;
  isLoading: boolean;
  onShow: () => void;
};

const LIST = new Intl.ListFormat('en-GB');

/** Notes above the review, including why actions may be missing. */
export function ReviewNotes(props: ReviewNotesProps) {
  const { draft, canReview, userId, provedBy, isReviewWithheld, isStale, isLoading, onShow } = props;
  const { merged, abilities, delegated, contributors, version, status, emergency } = draft;
  const own = contributors.find(({ id }) => id === userId);
  const isContributor = own !== undefined;
  const notCounted = isContributor ? undefined : draft.notCounted.find(({ id }) => id === userId);
  return (
    <div className={styles.reviewNotes}>
      {isStale && (
        <Note tone="warn">
          {isolated(contributors[0]?.name ?? 'Someone')} has saved this draft since you opened it.{' '}
          <Button size="sm" busy={isLoading && 'Loading…'} onClick={onShow}>
            Show the current draft
          </Button>
        </Note>
      )}
      {isBehind(draft) && (
        <Note tone="warn">
          This draft is based on v{draft.baseVersion}, but v{draft.liveVersion} is live now. Below are the draft’s
          changes to v{draft.baseVersion}, unless you choose another comparison.
        </Note>
      )}
      {merged && (
        <Note tone="ok">
          {status === 'live' ? `This is v${version}, the live version.` : `This is v${version}. It is no longer live.`}{' '}
          Below is what it changed.
        </Note>
      )}
      {emergency && (
        <Note tone="warn">
          {emergencyWords(emergency)}. {isolated(emergency.by.name)} made it live without a review: “
          {isolated(emergency.reason)}”
        </Note>
      )}
      {!merged && delegated.length > 0 && (
        <Note tone="me">
          You do the reviews of {LIST.format(delegated.map(({ onBehalfOf }) => isolated(onBehalfOf.name)))}. An approval
          for them counts as both yours and theirs.
        </Note>
      )}
      {!merged && own && canReview && !abilities.approve && (
        <Note tone="me">
          {own.through
            ? `${isolated(own.through.name)}’s changes also count as yours: either you invited them and they hadn’t proved their address yet, or they used a token that you own or once owned. Ask someone else to review this draft.`
            : 'You contributed to this draft, so someone else must review it.'}
        </Note>
      )}
      {!merged && isContributor && abilities.approve && (
        <Note tone="me">
          You contributed to this draft, and nobody else here can review it. If you approve it, the audit trail records
          a self-approval.
        </Note>
      )}
      {!merged && isReviewWithheld && <ProofNote>You can review and merge here once your address is proved.</ProofNote>}
      {!merged &&
        !isReviewWithheld &&
        notCounted &&
        (notCounted.because === 'address_not_proved' ? (
          <ProofNote>Your approval doesn’t count for this draft until your address is proved.</ProofNote>
        ) : (
          <Note tone="me">Your approval doesn’t count for this draft: {notCountedReasons[notCounted.because]}</Note>
        ))}
      {!merged && abilities.approve && provedBy === null && (
        <ProofNote>Your approval will carry the mark “address not proved” until your address is proved.</ProofNote>
      )}
    </div>
  );
}

const notCountedReasons = {
  added_after_first_save:
    'one of its authors made you a reviewer after it was first saved. Another owner or admin must confirm you first.',
  behind_the_author: 'the actions of one of its authors also count as yours. Someone else must review it.',
  strict:
    'it would carry a mark, and strict reviews don’t count marked approvals. If an author added you, another owner or admin can confirm you. Otherwise someone else must review it.',
} as const;
