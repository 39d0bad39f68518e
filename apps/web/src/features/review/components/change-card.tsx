import type { Comment } from '@stet/contract';
import { MessageSquare, Minus, Pencil, Plus } from 'lucide-react';
import { memo, useId } from 'react';
import { usePeople } from '../../../lib/session/use-members.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { ChangeBlock } from '../model/listed-changes.ts';
import { fieldChanges, fieldValues, withPeopleNamed } from '@stet/presentation/change-words';
import { visibleText } from '@stet/domain/workflows';
import type { Step } from '@stet/domain/steps';
import { CommentThread } from './comment-thread.tsx';
import type { Commenting } from './commenting.ts';
import { FieldTable, ValueList } from '../../../ui/field-table.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './change-card.module.css';

type ChangeCardProps = {
  block: Extract<ChangeBlock, { kind: 'change' | 'spoken_of' }>;
  comments: readonly Comment[];
  commenting: Commenting;
  titleOf: (stepId: string) => string;
  /** All known steps, used to label the values in conditions and messages. */
  steps: readonly Step[];
};

const KINDS = { added: Plus, removed: Minus, modified: Pencil } as const;

/**
 * A changed step with its details and comments, or an unchanged step that is shown for its comments or on request. It
 * is memoized, so that a list with hundreds of cards stays fast.
 */
export const ChangeCard = memo(function ChangeCard({ block, comments, commenting, titleOf, steps }: ChangeCardProps) {
  const name = useId();
  const { nameOf } = usePeople();
  const entry = block.kind === 'change' ? block.entry : null;
  const id = entry?.id ?? (block.kind === 'spoken_of' ? block.step.id : '');
  const title = visibleText(block.kind === 'change' ? block.title : block.step.title || id);
  return (
    <article
      className={classNames(styles.chg, styles[entry?.type ?? 'unchanged'])}
      aria-labelledby={name}
      tabIndex={-1}
      data-step={id}
      data-change={entry?.type}
    >
      <header>
        <span className={styles.no} aria-hidden="true">
          {block.number ?? '–'}
        </span>
        <h2 id={name}>{title}</h2>
        <span className={styles.id}>
          <span className="mono muted">{visibleText(id)}</span>
          {entry ? (
            <span className={styles.kind}>
              <Icon of={KINDS[entry.type]} size="s" />
              {entry.type}
            </span>
          ) : (
            <span className={styles.kind}>unchanged</span>
          )}
        </span>
        {commenting.may && (
          <Button
            tone="quiet"
            size="sm"
            icon={MessageSquare}
            aria-label={`Comment on ${title}`}
            className={styles.cm}
            data-act="comment"
            onClick={() => commenting.onWrite(id)}
          >
            <span>Comment</span>
          </Button>
        )}
      </header>
      {entry?.type === 'modified' && (
        <FieldTable fields={withPeopleNamed(fieldChanges(entry, titleOf, steps), nameOf)} of={title} />
      )}
      {entry && entry.type !== 'modified' && (
        <ValueList values={withPeopleNamed(fieldValues(entry, titleOf, steps), nameOf)} kind={entry.type} of={title} />
      )}
      <CommentThread comments={comments} stepId={id} label={`Comment on ${title}`} commenting={commenting} />
    </article>
  );
}, isSameCard);

const NOTHING_SAID: readonly Comment[] = [];
export const commentsOf = (byStep: ReadonlyMap<string, Comment[]>, id: string): readonly Comment[] =>
  byStep.get(id) ?? NOTHING_SAID;

/**
 * If only `commenting` changes, a card without comments and without an open form doesn't rerender, unless the
 * permission to comment changes.
 */
function isSameCard(before: ChangeCardProps, after: ChangeCardProps): boolean {
  if (
    before.block !== after.block ||
    before.titleOf !== after.titleOf ||
    before.steps !== after.steps ||
    before.comments !== after.comments
  )
    return false;
  if (before.commenting === after.commenting) return true;
  const id = after.block.kind === 'change' ? after.block.entry.id : after.block.step.id;
  const isQuiet = ({ commenting, comments }: ChangeCardProps) => commenting.writingOn !== id && comments.length === 0;
  return isQuiet(before) && isQuiet(after) && before.commenting.may === after.commenting.may;
}
