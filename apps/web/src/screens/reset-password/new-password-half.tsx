import { useState } from 'react';
import type { FormEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { resetPassword } from '../../features/accounts/api/reset-password.ts';
import { PublicPage } from '../../features/accounts/parts/public-page.tsx';
import { errorSentence, isStatus } from '../../lib/api/api-error.ts';
import { newPasswordProblems } from '../../lib/password.ts';
import { paths } from '../../lib/paths.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { focusFirstBad } from '../../ui/focus-first-bad.ts';
import { Note } from '../../ui/note.tsx';
import { NewPasswordPair } from '../../ui/password-fields.tsx';

const LABELS = { password: 'New password', confirmation: 'Confirm new password' };

export function NewPasswordHalf({ token }: { token: string }) {
  const navigate = useNavigate();
  const [form, setForm] = useState({ password: '', confirmation: '' });
  const [tried, setTried] = useState(false);
  const { submission, submit } = useSubmit(async (password: string) => {
    await resetPassword(token, password);
    void navigate(paths.login, {
      replace: true,
      state: {
        message:
          'Your password is changed. You are logged out everywhere, and your personal API tokens are revoked. Please log in.',
      },
    });
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(newPasswordProblems(form)).length === 0) submit(form.password);
    else focusFirstBad(event.currentTarget);
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
        <NewPasswordPair
          labels={LABELS}
          large
          value={form}
          problems={tried ? newPasswordProblems(form) : {}}
          onChange={(part) => setForm((before) => ({ ...before, ...part }))}
        />
        <div className="sub">
          {submission.state === 'failed' && (
            <Note tone="bad">
              {errorSentence(submission.error, 'An error occurred')}
              {isStatus(submission.error, 404) && (
                <>
                  {' '}
                  <Link to={paths.resetPassword}>Ask for a new link</Link>
                </>
              )}
            </Note>
          )}
          <Button type="submit" tone="primary" size="lg" busy={submission.state === 'busy' && 'Saving…'}>
            Set new password
          </Button>
        </div>
      </form>
    </PublicPage>
  );
}
