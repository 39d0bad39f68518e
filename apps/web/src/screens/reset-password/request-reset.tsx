import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { requestReset, requestSchema } from '../../features/accounts/api/reset-password.ts';
import { PublicPage } from '../../features/accounts/components/public-page.tsx';
import { useContractForm } from '../../lib/forms/use-contract-form.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import styles from '../../features/accounts/components/public-page.module.css';

/** The address that the person typed on the login page; empty if they come from elsewhere. */
function typedBefore(state: unknown): string {
  const left: Record<string, unknown> = typeof state === 'object' && state !== null ? { ...state } : {};
  return typeof left['email'] === 'string' ? left['email'] : '';
}

export function RequestReset() {
  const before: unknown = useLocation().state;
  const [sent, setSent] = useState(false);
  const form = useContractForm({
    schema: requestSchema,
    initial: { email: typedBefore(before) },
    body: (values) => values,
    failed: 'An error occurred',
    send: async ({ email }) => {
      setSent(false);
      await requestReset(email);
      setSent(true);
    },
  });
  return (
    <PublicPage
      title="Reset password"
      lede={
        <>
          Remembered it?{' '}
          <Link to={paths.login} className="med">
            Log in
          </Link>
        </>
      }
    >
      <form onSubmit={form.submit} noValidate>
        <TextField
          {...form.field('email')}
          label="Email"
          large
          type="email"
          autoComplete="username"
          hint="We’ll email you a link. It works once and expires in one hour."
        />
        <div className={styles.sub}>
          {sent && <Note tone="ok">If the email exists, we sent reset instructions.</Note>}
          {form.problem && <Note tone="bad">{form.problem}</Note>}
          <Button type="submit" tone="primary" size="lg" busy={form.isSending && 'Sending…'}>
            Send reset link
          </Button>
        </div>
      </form>
    </PublicPage>
  );
}
