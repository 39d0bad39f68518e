import { CircleAlert, CircleCheck, Info, Pencil, TriangleAlert } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { LinkButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { useErrorToast } from './toast.ts';
import styles from './note.module.css';

type NoteTone = 'plain' | 'bad' | 'warn' | 'ok' | 'me';

const ICONS = { plain: Info, bad: CircleAlert, warn: TriangleAlert, ok: CircleCheck, me: Pencil } satisfies Record<
  NoteTone,
  LucideIcon
>;

type NoteProps = {
  tone?: NoteTone;
  icon?: LucideIcon;
  /** Whether the note is a part of the page that screen readers don't announce. */
  isSilent?: boolean;
  className?: string | undefined;
  children: ReactNode;
};

/** A note next to its subject. Screen readers announce errors immediately and other notes later. */
export function Note({ tone = 'plain', icon, isSilent = false, className, children }: NoteProps) {
  const announced = tone === 'bad' ? 'alert' : 'status';
  return (
    <div
      className={classNames(styles.note, tone !== 'plain' && styles[tone], className)}
      role={isSilent ? undefined : announced}
    >
      <Icon of={icon ?? ICONS[tone]} />
      <div className={classNames('grow', styles.text)}>{children}</div>
    </div>
  );
}

type FailureNoteProps = {
  /** Each new cause counts as a new failure, even if the message is the same. */
  cause: unknown;
  title: string;
  message: string;
  tone?: 'warn' | 'bad' | undefined;
  /** Adds space before the list or table that follows. */
  above?: boolean;
  onDismiss: () => void;
};

/** An action's error. It stays on the page until it is dismissed or its cause is resolved, and a toast announces it. */
export function FailureNote({ cause, title, message, tone = 'bad', above = false, onDismiss }: FailureNoteProps) {
  useErrorToast(cause, title, message, tone);
  const note = (
    <Note tone={tone}>
      <b>{title}</b>
      {message && `: ${message}`} <LinkButton onClick={onDismiss}>Dismiss</LinkButton>
    </Note>
  );
  return above ? <div className={styles.above}>{note}</div> : note;
}
