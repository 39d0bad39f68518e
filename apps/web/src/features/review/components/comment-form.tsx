import type { Member } from '@stet/contract';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { commentSchema } from '../api/use-change-review.ts';
import { useMembers } from '../../../lib/session/use-members.ts';
import type { Commenting } from './commenting.ts';
import { MentionTextarea } from './mention-textarea.tsx';
import styles from './comment-thread.module.css';

const EMPTY = { body: '' };
const NOBODY: readonly Member[] = [];

type CommentFormProps = { label: string; stepId: string | null; commenting: Commenting; stays?: boolean };

/** The form for a comment. If sending fails, the text stays. `stays`: the form is always open and can't be closed. */
export function CommentForm({ label, stepId, commenting, stays = false }: CommentFormProps) {
  const place = useFocusAfterWriting();
  const form = useContractForm({
    schema: commentSchema,
    initial: EMPTY,
    body: ({ body }) => ({ body: body.trim(), ...(stepId !== null && { stepId }) }),
    failed: 'The comment was not sent',
    send: async ({ body }) => {
      await commenting.onSend(body, stepId);
      form.reset();
      if (!stays) commenting.onWrite(undefined);
    },
  });
  const { error, value, onChange, ...field } = form.field('body');
  // Loaded when a mention begins.
  const { data: people = NOBODY } = useMembers({ enabled: value.includes('@'), staleTime: 5 * 60_000 });
  const close = () => commenting.onWrite(undefined);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape' && !stays) close();
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    // In this field, these keys send the comment. Elsewhere, they approve or merge the draft.
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
            autoFocus={!stays}
            placeholder={label}
            onKeyDown={onKeyDown}
            value={value}
            onText={onChange}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" size="sm" busy={form.isSending && 'Sending…'}>
          Comment
        </Button>
        {!stays && (
          <Button size="sm" tone="quiet" onClick={close}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

/**
 * When a comment form closes, returns the focus to the button that opened it. If the form replaced that button, the
 * focus goes to the comment button of its card. Call it in the component that renders the form.
 */
function useFocusAfterWriting(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // This must be read in the first render, because the form's text field takes the focus afterwards.
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
