import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import type { FormEvent } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Input } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import styles from './waitlist-card.module.css';

type EmailFormProps = {
  email: string;
  error: string | null;
  isSending: boolean;
  onType: (email: string) => void;
  onSend: () => void;
  onCancel: () => void;
};

/** The form for the waitlist. An error is shown below the address and read out immediately. */
export function EmailForm({ email, error, isSending, onType, onSend, onCancel }: EmailFormProps) {
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend();
  };
  return (
    <form onSubmit={submit} noValidate>
      <div className="field">
        <label className="vh" htmlFor={id}>
          Email
        </label>
        <Input
          id={id}
          large
          data-focus
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          required
          placeholder="Enter your email address"
          value={email}
          readOnly={isSending}
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : `${id}-error`}
          onChange={(event) => onType(event.target.value)}
        />
        {error !== null && (
          <span className="err" id={`${id}-error`} role="alert">
            <Icon of={CircleAlert} size="s" />
            {error}
          </span>
        )}
      </div>
      <div className={styles.acts}>
        <Button
          type="submit"
          tone="primary"
          size="lg"
          busy={isSending && 'Signing up...'}
          disabledReason={email.trim() === '' ? 'Enter your email address first' : undefined}
        >
          Sign Up
        </Button>
        <Button tone="quiet" size="lg" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
