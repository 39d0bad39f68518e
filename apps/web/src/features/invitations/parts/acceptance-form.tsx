import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { NewPasswordPair } from '../../../ui/password-fields.tsx';
import { EMPTY_ACCEPTANCE, acceptanceProblems } from '../model/acceptance.ts';
import type { Acceptance } from '../model/acceptance.ts';

const LABELS = { password: 'Password', confirmation: 'Confirm Password' };

type AcceptanceFormProps = {
  email: string;
  busy: boolean;
  /** What the server said, above the button. */
  note: ReactNode;
  onSubmit: (form: Acceptance) => void;
};

/** The account that an invited person makes (specification, sections 2 and 5). */
export function AcceptanceForm({ email, busy, note, onSubmit }: AcceptanceFormProps) {
  const [form, setForm] = useState(EMPTY_ACCEPTANCE);
  const [tried, setTried] = useState(false);
  const change = (part: Partial<Acceptance>) => setForm((before) => ({ ...before, ...part }));
  const problems = tried ? acceptanceProblems(form) : {};
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(acceptanceProblems(form)).length === 0) onSubmit(form);
    else focusFirstBad(event.currentTarget);
  };
  return (
    <form onSubmit={send} noValidate>
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
        label="Full Name"
        large
        name="name"
        autoComplete="name"
        maxLength={120}
        value={form.name}
        error={problems.name}
        onChange={(name) => change({ name })}
      />
      <NewPasswordPair labels={LABELS} large value={form} problems={problems} onChange={change} />
      <div className="sub">
        {note}
        <Button type="submit" tone="primary" size="lg" busy={busy && 'Creating Account...'}>
          Accept Invitation
        </Button>
      </div>
    </form>
  );
}
