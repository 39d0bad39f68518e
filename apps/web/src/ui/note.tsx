import { CircleAlert, CircleCheck, Info, Pencil, TriangleAlert } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { LinkButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { useErrorToast } from './toast.ts';
import './note.css';

type NoteTone = 'plain' | 'bad' | 'warn' | 'ok' | 'me';

const ICONS = { plain: Info, bad: CircleAlert, warn: TriangleAlert, ok: CircleCheck, me: Pencil } satisfies Record<
  NoteTone,
  LucideIcon
>;

/** A note beside its subject. Errors interrupt a screen reader, other notes wait. */
export function Note({ tone = 'plain', icon, children }: { tone?: NoteTone; icon?: LucideIcon; children: ReactNode }) {
  return (
    <div className={classNames('note', tone !== 'plain' && tone)} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon of={icon ?? ICONS[tone]} />
      <div className="grow">{children}</div>
    </div>
  );
}

type FailureNoteProps = {
  /** Another cause is another failure, even in the same words. */
  cause: unknown;
  title: string;
  message: string;
  tone?: 'warn' | 'bad' | undefined;
  /** Keeps a distance to the list or table that follows. */
  above?: boolean;
  onDismiss: () => void;
};

/** An action’s error: shown on the page until dismissed or until its cause is over, and announced by a toast. */
export function FailureNote({ cause, title, message, tone = 'bad', above = false, onDismiss }: FailureNoteProps) {
  useErrorToast(cause, title, message, tone);
  const note = (
    <Note tone={tone}>
      <b>{title}</b>
      {message && `: ${message}`} <LinkButton onClick={onDismiss}>Dismiss</LinkButton>
    </Note>
  );
  return above ? <div className="note-above">{note}</div> : note;
}
