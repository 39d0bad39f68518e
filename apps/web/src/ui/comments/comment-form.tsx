import type { Member } from '@stet/contract';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type SchemaLoader, useContractForm } from '../../lib/forms/use-contract-form.ts';
import { useMembers } from '../../lib/session/use-members.ts';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import { MentionTextarea } from './mention-textarea.tsx';
import styles from './comments.module.css';

const EMPTY = { text: '' };
const NOBODY: readonly Member[] = [];

type CommentFormProps<Body> = {
  label: string;
  submitLabel: string;
  schema: SchemaLoader<Body>;
  body: (text: string) => Body;
  /** The message if sending fails and the server sends none. */
  failed: string;
  /** Rejects if the server refuses. */
  onSend: (body: Body) => Promise<unknown>;
  /** Receives the text that isn't sent yet; empty once it is sent or the form is closed. */
  onText?: ((text: string) => void) | undefined;
  /** Closes the form. Null if it is always open. */
  onClose: (() => void) | null;
  /** Shown between the text and the button. */
  above?: ReactNode;
  /** Shown beside the button. */
  children?: ReactNode;
};

/** The form for a comment that can mention members. If sending fails, the text stays. */
export function CommentForm<Body>({
  label,
  submitLabel,
  schema,
  body,
  failed,
  onSend,
  onText,
  onClose,
  above,
  children,
}: CommentFormProps<Body>) {
  const place = useFocusAfterWriting();
  const form = useContractForm({
    schema,
    initial: EMPTY,
    body: ({ text }) => body(text.trim()),
    places: { body: 'text' },
    failed,
    send: async (sent) => {
      await onSend(sent);
      form.reset();
      onText?.('');
      onClose?.();
    },
  });
  const forget = useEffectEvent(() => onText?.(''));
  useEffect(() => () => forget(), []);
  const { error, value, onChange, ...field } = form.field('text');
  // Loaded when a mention begins.
  const { data: people = NOBODY } = useMembers({ enabled: value.includes('@'), staleTime: 5 * 60_000 });
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') onClose?.();
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    // In this field, these keys send the comment. Elsewhere on the page, they can mean something else.
    event.stopPropagation();
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <form ref={place} className={styles.commentForm} onSubmit={form.submit} noValidate>
      <Field label={label} labelHidden error={error ?? form.problem}>
        {(control) => (
          <MentionTextarea
            {...field}
            {...control}
            people={people}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens because the person wants to write.
            autoFocus={onClose !== null}
            placeholder={label}
            onKeyDown={onKeyDown}
            value={value}
            onText={(text) => {
              onChange(text);
              onText?.(text);
            }}
          />
        )}
      </Field>
      {above}
      <div className="row">
        <Button type="submit" size="sm" busy={form.isSending && 'Sending…'}>
          {submitLabel}
        </Button>
        {onClose && (
          <Button size="sm" tone="quiet" onClick={onClose}>
            Cancel
          </Button>
        )}
        {children}
      </div>
    </form>
  );
}

/**
 * If the focus is lost when a comment form closes, it returns to the button that opened the form. If the form replaced
 * that button, the focus goes to the comment button of its card. Call it in the component that renders the form.
 */
function useFocusAfterWriting(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // The focused element must be read in the first render, because the form's text field takes the focus afterwards.
  const [caller] = useState(() => document.activeElement);
  useEffect(() => {
    const card = form.current?.closest('article');
    return () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const isThere = caller?.isConnected && caller !== document.body;
        const to = isThere ? caller : card?.querySelector('[data-act="comment"]');
        if (to instanceof HTMLElement) to.focus();
      });
    };
  }, [caller]);
  return form;
}
