import { useState } from 'react';
import type { FormEvent, KeyboardEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { useSubmit } from '../../../lib/use-submit.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { useMentionable } from '../api/use-mentionable.ts';
import type { Commenting } from './commenting.ts';
import { MentionTextarea } from './mention-textarea.tsx';
import { useFocusAfterWriting } from './use-focus-after-writing.ts';

type CommentFormProps = { label: string; stepId: string | null; commenting: Commenting; stays?: boolean };

/** Writes a comment; what was typed stays where sending fails. `stays`: it is there all the time, so it can't be closed. */
export function CommentForm({ label, stepId, commenting, stays = false }: CommentFormProps) {
  const form = useFocusAfterWriting();
  const [body, setBody] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const people = useMentionable(body.includes('@'));
  const { submission, submit } = useSubmit(async (text: string) => {
    await commenting.onSend(text, stepId);
    setBody('');
    if (!stays) commenting.onWrite(undefined);
  });
  const close = () => commenting.onWrite(undefined);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(body.trim() === '');
    if (body.trim() !== '') submit(body.trim());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape' && !stays) close();
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    // Inside a text the keys send the text; outside they approve.
    event.stopPropagation();
    send(event);
  };
  const failure = submission.state === 'failed' ? errorSentence(submission.error, 'The comment was not sent') : null;
  return (
    <form ref={form} className="comment-form" onSubmit={send} noValidate>
      <Field label={label} labelHidden error={isMissing ? 'Please write something first' : failure}>
        {(control) => (
          <MentionTextarea
            {...control}
            people={people}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens because the person asked to write
            autoFocus={!stays}
            placeholder={label}
            onKeyDown={onKeyDown}
            value={body}
            onText={(text) => {
              setBody(text);
              setIsMissing(false);
            }}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" size="sm" busy={submission.state === 'busy' && 'Sending…'}>
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
