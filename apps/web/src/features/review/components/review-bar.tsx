import { Check, CircleCheck, GitMerge } from 'lucide-react';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import type { FormEvent, ReactNode } from 'react';
import { isolated } from '@stet/domain/workflows';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { FieldError, Input } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { formatDateTime } from '../../../lib/format/time.ts';
import { requestChangesSchema } from '../api/use-change-review.ts';
import styles from './review-bar.module.css';

export type Verdict = 'approve' | 'request-changes';

type ReviewBarProps = {
  /** The field in which the reader chooses for whom they review; false if there is no choice. */
  who: ReactNode;
  /**
   * The name of the person for whom the reader reviews as their delegate; null if the reader reviews for themselves.
   */
  actsFor: string | null;
  busy: Verdict | null;
  /** The last attempt's error. */
  error: string | null;
  /**
   * The reason why this person's approval doesn't count; they can then only request changes. Undefined if it counts.
   */
  approvalRefusal: string | undefined;
  /** The reason why no decision is possible at the moment. */
  disabledReason: string | undefined;
  /**
   * The button to merge. If shown, it is the main action. Null if something blocks the merge or the button is
   * elsewhere.
   */
  merge: MergeAction | null;
  /** Whether the draft can be merged. Approving is then no longer the main action. */
  isReady: boolean;
  comment: string;
  onComment: (comment: string) => void;
  onDecide: (verdict: Verdict) => void;
};

const EMPTY = { comment: '' };

/**
 * The bar to approve or request changes. Except in very short windows, it is always visible (specification, section 2,
 * review screen).
 */
export function ReviewBar(props: ReviewBarProps) {
  const { who, actsFor, busy, error, approvalRefusal, disabledReason, merge, isReady, comment, onComment, onDecide } =
    props;
  const form = useContractForm({
    schema: requestChangesSchema,
    initial: EMPTY,
    // The screen owns the comment, because approving also sends it.
    body: () => ({ comment: comment.trim() }),
    failed: '',
    send: async () => onDecide('request-changes'),
  });
  const field = form.field('comment');
  const problem = field.error ?? error;
  const blockedReason = busy === null ? disabledReason : 'Your last action is still in progress';
  return (
    <form
      className={styles.stick}
      data-edge="foot"
      aria-label="Your review"
      noValidate
      // Enter in a text field must not submit a decision.
      onSubmit={(event: FormEvent) => event.preventDefault()}
    >
      <div>
        {problem !== null && (
          <FieldError className={styles.problem} id="review-problem" role="alert">
            {problem}
          </FieldError>
        )}
        {who}
        {actsFor !== null && approvalRefusal !== undefined && (
          <p className={classNames('two', styles.problem)}>{approvalRefusal}</p>
        )}
        <label className="vh" htmlFor="review-comment">
          Comment
        </label>
        <Input
          id="review-comment"
          maxLength={10_000}
          placeholder="Leave a comment (required to request changes)"
          value={comment}
          aria-invalid={field.error !== undefined || undefined}
          aria-describedby={problem === null ? undefined : 'review-problem'}
          onChange={(event) => {
            onComment(event.target.value);
            field.onChange(event.target.value);
          }}
        />
        <Button
          busy={busy === 'request-changes' && 'Requesting changes…'}
          disabledReason={blockedReason}
          onClick={({ currentTarget }) => currentTarget.form && form.submitFrom(currentTarget.form)}
        >
          {actsFor === null ? 'Request changes' : `Request changes for ${isolated(actsFor)}`}
        </Button>
        <Button
          tone={isReady ? 'plain' : 'primary'}
          icon={Check}
          busy={busy === 'approve' && 'Approving…'}
          disabledReason={approvalRefusal ?? blockedReason}
          aria-keyshortcuts={isReady ? undefined : 'Control+Enter Meta+Enter'}
          onClick={() => onDecide('approve')}
        >
          {actsFor === null ? 'Approve' : `Approve for ${isolated(actsFor)}`}
        </Button>
        {merge && <MergeButton {...merge} />}
      </div>
    </form>
  );
}

type ApprovedBarProps = {
  who: ReviewBarProps['who'];
  /** Who approved, for example 'You approved'. */
  words: string;
  /** When the approval was given. */
  at: string;
  now: number;
  isUndoing: boolean;
  /** The error of the last attempt. */
  error: string | null;
  merge: MergeAction | null;
  onUndo: () => void;
};

/** Replaces the review bar once the reader, or a delegate for them, has approved. */
export function ApprovedBar({ who, words, at, now, isUndoing, error, merge, onUndo }: ApprovedBarProps) {
  return (
    <section className={styles.stick} data-edge="foot" aria-label="Your review">
      <div>
        {error !== null && (
          <FieldError className={styles.problem} role="alert">
            {error}
          </FieldError>
        )}
        {who}
        <p className={styles.approved}>
          <Icon of={CircleCheck} />
          <b className="med">{words}</b>
          <Moment className="muted" at={at}>
            {formatDateTime(at, now)}
          </Moment>
        </p>
        <Button busy={isUndoing && 'Undoing…'} aria-label="Undo your approval" onClick={onUndo}>
          Undo
        </Button>
        {merge && <MergeButton {...merge} />}
      </div>
    </section>
  );
}

export type MergeAction = { label: string; onMerge: () => void };

function MergeButton({ label, onMerge }: MergeAction) {
  return (
    <Button tone="primary" icon={GitMerge} aria-keyshortcuts="Control+Enter Meta+Enter" onClick={onMerge}>
      {label}
    </Button>
  );
}
