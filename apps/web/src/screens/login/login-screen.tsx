import { useState } from 'react';
import type { FormEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { logIn } from '../../features/accounts/api/log-in.ts';
import { connectProvider } from '../../features/accounts/api/sign-in-provider.ts';
import { useSignInProvider } from '../../features/accounts/api/use-sign-in-provider.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { ProviderButton } from '../../features/accounts/parts/provider-button.tsx';
import { PublicPage } from '../../features/accounts/parts/public-page.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths, safeReturnPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { PasswordField } from '../../ui/password-fields.tsx';
import { LoadingLine } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toast.ts';
import { ProviderNote } from './provider-note.tsx';
import { useProviderArrival } from './use-provider-arrival.ts';

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

/** The sign-in itself stands, whatever becomes of this. */
async function connect(): Promise<void> {
  try {
    toast.ok('Connected', await connectProvider());
  } catch (error) {
    toast.bad('Not connected', errorSentence(error, 'Please try again the next time you log in.'));
  }
}

/** `/login`: no checks of its own, the server decides (specification, section 5). */
export function LoginScreen() {
  const navigate = useNavigate();
  const arrival = readArrival(useLocation().state);
  const label = useSignInProvider();
  const provider = useProviderArrival();
  const connecting = provider.state === 'connect' ? provider.email : null;
  const [typed, setTyped] = useState<string | null>(null);
  const email = typed ?? connecting ?? arrival.email;
  const [password, setPassword] = useState('');
  const { submission, submit } = useSubmit(async (credentials: { email: string; password: string }) => {
    await logIn(credentials);
    if (connecting !== null && credentials.email.trim().toLowerCase() === connecting) await connect();
    void navigate(arrival.from, { replace: true });
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit({ email, password });
  };

  if (provider.state === 'entering') {
    return (
      <PublicPage title="Log in" narrow>
        <LoadingLine>Logging in…</LoadingLine>
      </PublicPage>
    );
  }
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
        {submission.state === 'idle' && <ProviderNote arrival={provider} label={label} />}
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
          onChange={setTyped}
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
      {connecting === null && <ProviderButton label={label} from={arrival.from} />}
    </PublicPage>
  );
}
