import type { Comment, WholeDraft } from '@stet/contract';
import { markWords } from '@stet/domain/drafts';
import { useState } from 'react';
import { formatDateTime } from '../../../lib/format/time.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { saidOfDraft } from '../model/threads.ts';
import { CommentForm } from './comment-form.tsx';
import { OneComment } from './comment-thread.tsx';
import type { Commenting } from './commenting.ts';

type DiscussionProps = { general: readonly Comment[]; reviews: WholeDraft['reviews']; commenting: Commenting };

/** What was said of the draft as a whole: comments and decisions, oldest first. */
export function Discussion({ general, reviews, commenting }: DiscussionProps) {
  const [showsSettled, setShowsSettled] = useState(false);
  const all = saidOfDraft(general, reviews);
  const isSettled = (said: (typeof all)[number]) => said.kind === 'comment' && said.comment.resolvedAt !== null;
  const settled = all.filter(isSettled).length;
  const shown = showsSettled ? all : all.filter((said) => !isSettled(said));
  if (all.length === 0 && !commenting.may) return null;
  return (
    <section className="discussion" aria-labelledby="discussion">
      <h2 id="discussion" className="h3">
        Discussion
      </h2>
      {settled > 0 && (
        <button
          type="button"
          className="link xs"
          aria-expanded={showsSettled}
          onClick={() => setShowsSettled(!showsSettled)}
        >
          {settled === 1 ? '1 resolved comment' : `${settled} resolved comments`}
        </button>
      )}
      {shown.length > 0 && (
        <ul>
          {shown.map((said) => (
            <li key={said.kind === 'comment' ? said.comment.id : `${said.review.reviewer.id} ${said.at}`}>
              {said.kind === 'comment' ? (
                <OneComment comment={said.comment} commenting={commenting} />
              ) : (
                <Decision review={said.review} now={commenting.now} />
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
  const { reviewer, verdict, standing, marks, comment, at } = review;
  const did = verdict === 'approved' ? 'approved' : 'requested changes';
  return (
    <article className="said" aria-label={`${reviewer.name} ${did}`}>
      <Avatar name={reviewer.name} />
      <p className="meta">
        <b className="med">{reviewer.name}</b>
        <span className="muted xs">
          {did}
          {marks.length > 0 && ` (${markWords(marks)})`}
          {standing === 'dismissed' && ' (dismissed: the content has changed since)'}
          {standing === 'not_counted' && ' (doesn’t count any more)'},{' '}
          <Moment at={at}>{formatDateTime(at, now)}</Moment>
        </span>
      </p>
      {comment !== '' && <p className="body">{comment}</p>}
    </article>
  );
}
