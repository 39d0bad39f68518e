import type { Comment, WholeDraft } from '@stet/contract';
import { markWords } from '@stet/domain/drafts';
import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { LinkButton } from '../../../ui/button.tsx';
import { CommentEntry } from '../../../ui/comments/comment-entry.tsx';
import { draftDiscussion } from '../model/threads.ts';
import { CommentForm } from './comment-form.tsx';
import { OneComment } from './comment-thread.tsx';
import type { Commenting } from './commenting.ts';
import styles from './comment-thread.module.css';

type DiscussionProps = { general: readonly Comment[]; reviews: WholeDraft['reviews']; commenting: Commenting };

/** The comments and decisions about the whole draft, oldest first. */
export function Discussion({ general, reviews, commenting }: DiscussionProps) {
  const [showsResolved, setShowsResolved] = useState(false);
  const all = draftDiscussion(general, reviews);
  const isResolved = (entry: (typeof all)[number]) => entry.kind === 'comment' && entry.comment.resolvedAt !== null;
  const resolved = all.filter(isResolved).length;
  const shown = showsResolved ? all : all.filter((entry) => !isResolved(entry));
  if (all.length === 0 && !commenting.may) return null;
  return (
    <section className={styles.discussion} aria-labelledby="discussion">
      <h2 id="discussion" className="h3">
        Discussion
      </h2>
      {resolved > 0 && (
        <LinkButton small aria-expanded={showsResolved} onClick={() => setShowsResolved(!showsResolved)}>
          {resolved === 1 ? '1 resolved comment' : `${resolved} resolved comments`}
        </LinkButton>
      )}
      {shown.length > 0 && (
        <ul>
          {shown.map((entry) => (
            <li key={entry.kind === 'comment' ? entry.comment.id : `${entry.review.reviewer.id} ${entry.at}`}>
              {entry.kind === 'comment' ? (
                <OneComment comment={entry.comment} commenting={commenting} />
              ) : (
                <Decision review={entry.review} now={commenting.now} />
              )}
            </li>
          ))}
        </ul>
      )}
      {commenting.may && <CommentForm label="Comment on the draft" stepId={null} commenting={commenting} stays />}
    </section>
  );
}

function Decision({ review, now }: { review: WholeDraft['reviews'][number]; now: number }) {
  const { reviewer, onBehalfOf, verdict, standing, marks, comment, at } = review;
  const did = verdict === 'approved' ? 'approved' : 'requested changes';
  return (
    <CommentEntry
      label={`${reviewer.name} ${did}${onBehalfOf ? ` for ${onBehalfOf.name}` : ''}`}
      author={reviewer.name}
      at={at}
      now={now}
      about={
        <>
          {did}
          {onBehalfOf && ` for ${isolated(onBehalfOf.name)}`}
          {marks.length > 0 && ` (${markWords(marks)})`}
          {standing === 'dismissed' && ' (dismissed: the content has changed)'}
          {standing === 'withdrawn' && ' (withdrawn)'}
          {standing === 'not_counted' && ' (no longer counts)'},{' '}
        </>
      }
      {...(comment !== '' && { text: { body: comment, mentions: [] } })}
    />
  );
}
