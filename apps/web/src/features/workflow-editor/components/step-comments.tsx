import type { Comment } from '@stet/contract';
import { MessageSquare } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { Icon } from '../../../ui/icon.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import type { WorkflowEditorModel } from './use-workflow-editor.ts';
import styles from './step-comments.module.css';

/** The number of open comments on a step, in its row. */
export function CommentMark({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={styles.mark} title={inWords(count)}>
      <Icon of={MessageSquare} size="s" />
      <span aria-hidden="true">{count}</span>
      <span className="vh">{inWords(count)}</span>
    </span>
  );
}

type StepCommentsProps = {
  comments: readonly Comment[];
  /** The address of the review, where people reply. */
  review: string;
};

/** The open comments on a step, above its fields. */
export function StepComments({ comments, review }: StepCommentsProps) {
  if (comments.length === 0) return null;
  return (
    <section className={styles.comments} aria-label={inWords(comments.length)}>
      {comments.map(({ id, author, at, body }) => (
        <div key={id}>
          <p className="xs muted">
            <b>
              <bdi>{author.name}</bdi>
            </b>{' '}
            <RelativeTime at={at} />
          </p>
          <p className={styles.body} dir="auto">
            {body}
          </p>
        </div>
      ))}
      <Link className="xs" to={review}>
        Reply in the review
      </Link>
    </section>
  );
}

/** The address of the review of the open draft. Empty for other documents, which have no comments. */
export const reviewPath = ({ key, record }: Pick<WorkflowEditorModel, 'key' | 'record'>): string =>
  record.kind === 'draft' ? paths.review({ key, id: record.draftId }) : '';

const inWords = (count: number): string => (count === 1 ? '1 open comment' : `${count} open comments`);
