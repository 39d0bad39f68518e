import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { repeatedPassword } from '../../../lib/password.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { NewPasswordPair } from '../../../ui/password-fields.tsx';
import { Note } from '../../../ui/note.tsx';
import { acceptanceSchema } from '../api/accept-invitation.ts';
import type { Acceptance } from '../api/accept-invitation.ts';

const EMPTY = { name: '', password: '', confirmation: '' };
const LABELS = { password: 'Password', confirmation: 'Confirm Password' };

type AcceptanceFormProps = { email: string; onSend: (body: Acceptance) => Promise<void> };

/** The form that creates an invited person's account (specification, sections 2 and 5). */
export function AcceptanceForm({ email, onSend }: AcceptanceFormProps) {
  const form = useContractForm({
    schema: acceptanceSchema,
    initial: EMPTY,
    body: ({ name, password }) => ({ name: name.trim(), password }),
    rules: repeatedPassword,
    failed: 'Your account wasn’t created. Please try again.',
    send: onSend,
  });
  return (
    <form onSubmit={form.submit} noValidate>
      <TextField
        label="Email"
        large
        name="email"
        type="email"
        autoComplete="username"
        readOnly
        value={email}
        hint="From your invitation"
        onChange={() => undefined}
      />
      <TextField
        {...form.field('name')}
        label="Full Name"
        large
        autoComplete="name"
        maxLength={120}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person opened the link to fill in this form.
        autoFocus
      />
      <NewPasswordPair
        labels={LABELS}
        large
        password={form.field('password')}
        confirmation={form.field('confirmation')}
      />
      <div className="sub">
        {form.problem && <Note tone="bad">{form.problem}</Note>}
        <Button type="submit" tone="primary" size="lg" busy={form.isSending && 'Creating Account...'}>
          Accept Invitation
        </Button>
      </div>
    </form>
  );
}
