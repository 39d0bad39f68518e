import { useState } from 'react';
import type { FormEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { logIn } from '../../features/accounts/api/log-in.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { PublicPage } from '../../features/accounts/parts/public-page.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths, safeReturnPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { PasswordField } from '../../ui/password-fields.tsx';

type Arrival = { from: string; ended: boolean; message: string | null; email: string };

/** What the place that led here left behind: where to return, a word to show, an address to fill in. */
function readArrival(state: unknown): Arrival {
  const left: Record<string, unknown> = typeof state === 'object' && state !== null ? { ...state } : {};
  return {
    from: safeReturnPath(left['from']),
    ended: left['ended'] === 'expired',
    message: typeof left['message'] === 'string' ? left['message'] : null,
    email: typeof left['email'] === 'string' ? left['email'] : '',
  };
}

/** `/login`: no checks of its own, the server decides (specification, section 5). */
export function LoginScreen() {
  const navigate = useNavigate();
  const arrival = readArrival(useLocation().state);
  const [email, setEmail] = useState(arrival.email);
  const [password, setPassword] = useState('');
  const { submission, submit } = useSubmit(async (credentials: { email: string; password: string }) => {
    await logIn(credentials);
    void navigate(arrival.from, { replace: true });
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit({ email, password });
  };

  return (
    <PublicPage
      title="Log in"
      narrow
      lede={
        <>
          New here?{' '}
          <Link to={paths.signup} className="med">
            Create account
          </Link>
        </>
      }
    >
      <form onSubmit={send} noValidate>
        {arrival.message && <Note tone="ok">{arrival.message}</Note>}
        {arrival.ended && submission.state === 'idle' && (
          <Note>Your session has ended. Log in to go on where you were.</Note>
        )}
        <TextField
          label="Email"
          large
          name="email"
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
        />
        <PasswordField
          label="Password"
          large
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <div className="sub">
          {submission.state === 'failed' && (
            <Note tone="bad">{errorSentence(submission.error, 'An error occurred')}</Note>
          )}
          <Button type="submit" tone="primary" size="lg" busy={submission.state === 'busy' && 'Logging in…'}>
            Log in
          </Button>
          <p className="other">
            <Link to={paths.resetPassword} state={{ email }} className="med">
              Forgot password?
            </Link>
          </p>
        </div>
      </form>
    </PublicPage>
  );
}
