import type { Note } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { useLayoutEffect, useRef } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { FileLinks } from '../../../step-types/run/file-links.tsx';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { CommentEntry } from '../../../ui/comments/comment-entry.tsx';
import { Note as Callout } from '../../../ui/note.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import type { useNotes } from '../api/use-notes.ts';
import styles from './conversation.module.css';

type NoteListProps = {
  list: ReturnType<typeof useNotes>;
  /** The server's time in milliseconds. */
  now: number;
  /** The title of the note's step, if the list has notes on several steps. */
  titleOf?: (note: Note) => string | null;
  onReply?: (note: Note) => void;
};

/** Notes, oldest first. A new one is scrolled into view. */
export function NoteList({ list, now, titleOf, onReply }: NoteListProps) {
  const place = useRef<HTMLDivElement>(null);
  const notes = list.data?.pages.flatMap((page) => page.notes).toReversed() ?? [];
  const latestId = notes.at(-1)?.id;
  useLayoutEffect(() => {
    if (place.current) place.current.scrollTop = place.current.scrollHeight;
  }, [latestId]);
  if (list.isPending) return <SkeletonRows rows={2} label="Loading notes" />;
  if (!list.data) {
    return (
      <Callout tone="bad">
        {errorSentence(list.error, 'Failed to load the notes')}{' '}
        <LinkButton onClick={() => void list.refetch()}>Try again</LinkButton>
      </Callout>
    );
  }
  if (notes.length === 0) return null;
  return (
    // A scrollable region must be reachable by keyboard.
    <div ref={place} className={styles.notes} tabIndex={0} role="region" aria-label="Notes">
      {list.hasNextPage && (
        <Button size="sm" busy={list.isFetchingNextPage && 'Loading…'} onClick={() => void list.fetchNextPage()}>
          Show earlier notes
        </Button>
      )}
      <ul>
        {notes.map((note) => {
          const title = titleOf?.(note) ?? null;
          return (
            <li key={note.id}>
              <CommentEntry
                label={`Note by ${note.author.name}`}
                author={note.author.name}
                at={note.at}
                now={now}
                about={title !== null && `on “${isolated(title)}”, `}
                text={{ body: note.text, mentions: note.mentions }}
                attached={note.files.length > 0 && <FileLinks files={note.files} />}
                foot={
                  onReply &&
                  note.stepId !== null && (
                    <Button size="sm" tone="quiet" onClick={() => onReply(note)}>
                      Reply
                    </Button>
                  )
                }
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
