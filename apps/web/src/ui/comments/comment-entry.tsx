import type { ReactNode } from 'react';
import { visibleText } from '@stet/domain/workflows';
import { formatDateTime } from '../../lib/format/time.ts';
import { useUser } from '../../lib/session/signed-in.ts';
import { Avatar } from '../avatar.tsx';
import { classNames } from '../class-names.ts';
import { Moment } from '../moment.tsx';
import { partsOf } from './mentions.ts';
import styles from './comments.module.css';

type CommentEntryProps = {
  /** The entry's name for screen readers. */
  label: string;
  author: string;
  at: string;
  /** The server's time in milliseconds. */
  now: number;
  /** Text after the author's name, for example their action. */
  about?: ReactNode;
  text?: WrittenTextProps;
  isResolved?: boolean;
  /** Shown below the text, for example files. */
  attached?: ReactNode;
  /** Shown at the end: buttons, and who resolved the comment. */
  foot?: ReactNode;
  children?: ReactNode;
};

/** One entry of a conversation, with its author and time. */
export function CommentEntry({
  label,
  author,
  at,
  now,
  about,
  text,
  isResolved,
  attached,
  foot,
  children,
}: CommentEntryProps) {
  const moment = <Moment at={at}>{formatDateTime(at, now)}</Moment>;
  return (
    <article className={classNames(styles.entry, isResolved && styles.resolved)} aria-label={label}>
      <Avatar name={author} />
      <p className={styles.meta}>
        <b className="med">{author}</b>
        <span className="muted xs">
          {about}
          {moment}
        </span>
      </p>
      {text && (
        <p className={styles.body} dir="auto">
          <WrittenText {...text} />
        </p>
      )}
      {attached}
      {foot && <p className={styles.foot}>{foot}</p>}
      {children}
    </article>
  );
}

type WrittenTextProps = { body: string; mentions: readonly { userId: string; from: number; to: number }[] };

/** A text with its mentions highlighted. Mentions of the reader stand out more. */
function WrittenText({ body, mentions }: WrittenTextProps) {
  const { id } = useUser();
  return partsOf(body, mentions).map(({ text, userId }, at) =>
    userId === null ? (
      visibleText(text)
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the segments of a written text never change.
      <span
        key={at}
        data-mention={userId === id ? 'me' : 'other'}
        className={classNames(styles.mention, userId === id && styles.me)}
      >
        {visibleText(text)}
      </span>
    ),
  );
}
