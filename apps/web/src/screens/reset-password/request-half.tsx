import { useState } from 'react';
import type { FormEvent } from 'react';
import { Link, useLocation } from 'react-router';
import { requestReset } from '../../features/accounts/api/reset-password.ts';
import { PublicPage } from '../../features/accounts/parts/public-page.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';

/** The address typed at the login comes along. */
function typedBefore(state: unknown): string {
  const left: Record<string, unknown> = typeof state === 'object' && state !== null ? { ...state } : {};
  return typeof left['email'] === 'string' ? left['email'] : '';
}

export function RequestHalf() {
  const before: unknown = useLocation().state;
  const [email, setEmail] = useState(() => typedBefore(before));
  const [sent, setSent] = useState(false);
  const { submission, submit } = useSubmit(async (address: string) => {
    setSent(false);
    await requestReset(address);
    setSent(true);
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit(email);
  };
  return (
    <PublicPage
      title="Reset password"
      narrow
      lede={
        <>
          You remember it?{' '}
          <Link to={paths.login} className="med">
            Log in
          </Link>
        </>
      }
    >
      <form onSubmit={send} noValidate>
        <TextField
          label="Email"
          large
          name="email"
          type="email"
          autoComplete="username"
          value={email}
          hint="We send a link that sets a new password. It works for an hour, once."
          onChange={setEmail}
        />
        <div className="sub">
          {sent && <Note tone="ok">If the email exists, we sent reset instructions.</Note>}
          {submission.state === 'failed' && (
            <Note tone="bad">{errorSentence(submission.error, 'An error occurred')}</Note>
          )}
          <Button type="submit" tone="primary" size="lg" busy={submission.state === 'busy' && 'Sending…'}>
            Send reset link
          </Button>
        </div>
      </form>
    </PublicPage>
  );
}
