import { useEffect, useRef } from 'react';
import { ApiError } from '../../../lib/api/api-error.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { joinWaitlist, signupSchema } from '../api/waitlist-calls.ts';
import styles from './waitlist-card.module.css';

const EMPTY = { email: '' };
/** The message for an error that the API client doesn't report (specification, section 8). */
const UNKNOWN = new ApiError('answer', { status: 0, code: 'unknown', message: 'Something went wrong' });

type EmailFormProps = {
  /** Called with the address once the server has accepted it, unless the form was closed before. */
  onJoined: (email: string) => void;
  onClose: () => void;
};

/** The form for the waitlist. An error is shown below the address and announced immediately. */
export function EmailForm({ onJoined, onClose }: EmailFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const intent = useIntent();
  const closing = useRef(new AbortController());
  useEffect(() => {
    input.current?.focus();
    closing.current = new AbortController();
    return () => closing.current.abort();
  }, []);

  const form = useContractForm({
    schema: signupSchema,
    initial: EMPTY,
    body: ({ email }) => ({ email: email.trim() }),
    failed: 'Failed to sign up',
    send: async ({ email }) => {
      const { signal } = closing.current;
      try {
        await joinWaitlist(email, { idempotencyKey: intent.keyFor(email), signal });
        intent.finish();
        if (!signal.aborted) onJoined(email);
      } catch (error) {
        intent.finish(error);
        throw error instanceof ApiError ? error : UNKNOWN;
      }
    },
  });
  const { value, onChange, onBlur, error: fieldError } = form.field('email');
  const error = fieldError ?? form.problem;
  const isEmpty = value.trim() === '';
  return (
    <form
      noValidate
      onSubmit={(event) => {
        if (isEmpty) event.preventDefault();
        else form.submit(event);
      }}
    >
      <Field label="Email" labelHidden announcesError error={error}>
        {(control) => (
          <Input
            {...control}
            ref={input}
            large
            name="email"
            type="email"
            autoComplete="email"
            maxLength={254}
            required
            placeholder="Enter your email address"
            value={value}
            readOnly={form.isSending}
            onBlur={onBlur}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <div className={styles.actions}>
        <Button
          type="submit"
          tone="primary"
          size="lg"
          busy={form.isSending && 'Signing up...'}
          disabledReason={isEmpty ? 'Enter your email address first' : undefined}
        >
          Sign Up
        </Button>
        <Button tone="quiet" size="lg" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
