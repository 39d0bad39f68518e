import { isolated } from '@stet/domain/workflows';
import type { Comment } from '@stet/contract';
import { useState, type ReactNode } from 'react';
import { formatDateTime } from '../../../lib/format/time.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { CommentEntry } from '../../../ui/comments/comment-entry.tsx';
import { Note } from '../../../ui/note.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { CommentForm } from './comment-form.tsx';
import type { Commenting } from './commenting.ts';
import styles from './comment-thread.module.css';

type CommentThreadProps = {
  comments: readonly Comment[];
  /** The thread's step, or null for the whole draft. */
  stepId: string | null;
  /** The form's name for screen readers. */
  label: string;
  commenting: Commenting;
};

/** The comments on a step: the open ones, a line that expands the resolved ones, and a form to reply. */
export function CommentThread({ comments, stepId, label, commenting }: CommentThreadProps) {
  const [showsResolved, setShowsResolved] = useState(false);
  const resolved = comments.filter(({ resolvedAt }) => resolvedAt !== null);
  const shown = showsResolved ? comments : comments.filter(({ resolvedAt }) => resolvedAt === null);
  const isWriting = commenting.writingOn === stepId;
  if (comments.length === 0 && !isWriting) return null;
  return (
    <div className={styles.thread}>
      {resolved.length > 0 && (
        <LinkButton small aria-expanded={showsResolved} onClick={() => setShowsResolved(!showsResolved)}>
          {resolved.length === 1 ? '1 resolved comment' : `${resolved.length} resolved comments`}
        </LinkButton>
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

/** One comment, with the person who resolved it, and a button to resolve or reopen it. */
export function OneComment({ comment, commenting, children }: OneCommentProps) {
  const { author, body, at, resolvedAt, resolvedBy } = comment;
  const problem = commenting.problemOn(comment.id);
  const isResolving = commenting.resolvingId === comment.id;
  return (
    <CommentEntry
      label={`Comment by ${author.name}`}
      author={author.name}
      at={at}
      now={commenting.now}
      text={{ body, mentions: comment.mentions }}
      isResolved={resolvedAt !== null}
      foot={
        <>
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
              busy={isResolving && (resolvedAt === null ? 'Resolving…' : 'Reopening…')}
              aria-label={`${resolvedAt === null ? 'Resolve' : 'Reopen'} the comment by ${author.name}`}
              onClick={() => commenting.onResolve(comment.id, resolvedAt === null ? 'resolve' : 'reopen')}
            >
              {resolvedAt === null ? 'Resolve' : 'Reopen'}
            </Button>
          )}
        </>
      }
    >
      {problem !== null && <Note tone="bad">{problem}</Note>}
    </CommentEntry>
  );
}
