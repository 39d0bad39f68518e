import { isolated } from '@stet/domain/workflows';
import type { Comment } from '@stet/contract';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../../lib/format/time.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { CommentForm } from './comment-form.tsx';
import { SaidText } from './said-text.tsx';
import type { Commenting } from './commenting.ts';
import './comment-thread.css';

type CommentThreadProps = {
  comments: readonly Comment[];
  /** The step that it is about; null for the whole draft. */
  stepId: string | null;
  /** What the form is called for a screen reader. */
  label: string;
  commenting: Commenting;
};

/** What was said of a step: open comments, settled ones behind a line, and a form where one may answer. */
export function CommentThread({ comments, stepId, label, commenting }: CommentThreadProps) {
  const [showsSettled, setShowsSettled] = useState(false);
  const settled = comments.filter(({ resolvedAt }) => resolvedAt !== null);
  const shown = showsSettled ? comments : comments.filter(({ resolvedAt }) => resolvedAt === null);
  const isWriting = commenting.writingOn === stepId;
  if (comments.length === 0 && !isWriting) return null;
  return (
    <div className="thread">
      {settled.length > 0 && (
        <button
          type="button"
          className="link xs"
          aria-expanded={showsSettled}
          onClick={() => setShowsSettled(!showsSettled)}
        >
          {settled.length === 1 ? '1 resolved comment' : `${settled.length} resolved comments`}
        </button>
      )}
      {shown.length > 0 && (
        <ul>
          {shown.map((comment, at) => (
            <li key={comment.id}>
              <OneComment comment={comment} commenting={commenting}>
                {!isWriting && commenting.may && at === shown.length - 1 && (
                  <Button size="sm" tone="quiet" onClick={() => commenting.onWrite(stepId)}>
                    Reply
                  </Button>
                )}
              </OneComment>
            </li>
          ))}
        </ul>
      )}
      {isWriting && <CommentForm label={label} stepId={stepId} commenting={commenting} />}
    </div>
  );
}

type OneCommentProps = { comment: Comment; commenting: Commenting; children?: ReactNode };

/** One comment, with who settled it, or the button to do so. */
export function OneComment({ comment, commenting, children }: OneCommentProps) {
  const { author, body, at, resolvedAt, resolvedBy } = comment;
  const isSettling = commenting.settling === comment.id;
  return (
    <article className={resolvedAt === null ? 'said' : 'said settled'} aria-label={`Comment by ${author.name}`}>
      <Avatar name={author.name} />
      <p className="meta">
        <b className="med">{author.name}</b>
        <Moment className="muted xs" at={at}>
          {formatDateTime(at, commenting.now)}
        </Moment>
      </p>
      <p className="body" dir="auto">
        <SaidText body={body} mentions={comment.mentions} />
      </p>
      <p className="foot">
        {resolvedBy && resolvedAt !== null && (
          <span className="muted xs">
            Resolved by {isolated(resolvedBy.name)},{' '}
            <Moment at={resolvedAt}>{formatDateTime(resolvedAt, commenting.now)}</Moment>
          </span>
        )}
        {children}
        {commenting.may && (
          <Button
            size="sm"
            tone="quiet"
            busy={isSettling && (resolvedAt === null ? 'Resolving…' : 'Reopening…')}
            aria-label={`${resolvedAt === null ? 'Resolve' : 'Reopen'} the comment by ${author.name}`}
            onClick={() => commenting.onSettle(comment.id, resolvedAt === null ? 'resolve' : 'reopen')}
          >
            {resolvedAt === null ? 'Resolve' : 'Reopen'}
          </Button>
        )}
      </p>
    </article>
  );
}
