import { Check, CircleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Input } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import './review-bar.css';

export type Verdict = 'approve' | 'request-changes';

type ReviewBarProps = {
  busy: Verdict | null;
  /** Why the last try failed, in words. */
  error: string | null;
  /** Why this person's approval doesn't count, so that they can only request changes; undefined if it counts. */
  approvalRefused: string | undefined;
  /** Why no decision can be taken at the moment. */
  disabledReason: string | undefined;
  comment: string;
  onComment: (comment: string) => void;
  onDecide: (verdict: Verdict) => void;
};

/** The decision, always in reach (specification, section 2, review screen). */
export function ReviewBar(props: ReviewBarProps) {
  const { busy, error, approvalRefused, disabledReason, comment, onComment, onDecide } = props;
  const input = useRef<HTMLInputElement>(null);
  const [isMissing, setIsMissing] = useState(false);
  const requestChanges = () => {
    setIsMissing(comment.trim() === '');
    if (comment.trim() === '') input.current?.focus();
    else onDecide('request-changes');
  };
  const problem = isMissing ? 'Comment required to request changes' : error;
  const busyReason = busy === null ? disabledReason : 'Wait until the last action is done';
  return (
    <form
      className="stick"
      data-edge="foot"
      aria-label="Your review"
      noValidate
      // Enter in a line of text must not decide anything.
      onSubmit={(event: FormEvent) => event.preventDefault()}
    >
      <div>
        {problem !== null && (
          <p className="err" id="review-problem" role="alert">
            <Icon of={CircleAlert} size="s" />
            {problem}
          </p>
        )}
        <label className="vh" htmlFor="review-comment">
          Comment
        </label>
        <Input
          id="review-comment"
          ref={input}
          maxLength={10_000}
          placeholder="Leave a comment (required to request changes)"
          value={comment}
          aria-invalid={isMissing || undefined}
          aria-describedby={problem === null ? undefined : 'review-problem'}
          onChange={(event) => {
            onComment(event.target.value);
            setIsMissing(false);
          }}
        />
        <Button
          busy={busy === 'request-changes' && 'Requesting changes…'}
          disabledReason={busyReason}
          onClick={requestChanges}
        >
          Request changes
        </Button>
        <Button
          tone="primary"
          icon={Check}
          busy={busy === 'approve' && 'Approving…'}
          disabledReason={approvalRefused ?? busyReason}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => onDecide('approve')}
        >
          Approve
        </Button>
      </div>
    </form>
  );
}
