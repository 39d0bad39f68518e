import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { logIn, loginSchema } from '../../features/accounts/api/log-in.ts';
import { connectProvider } from '../../features/accounts/api/sign-in-provider.ts';
import { useSignInOptions } from '../../features/accounts/api/use-sign-in-options.ts';
import { ProviderButton } from '../../features/accounts/components/provider-button.tsx';
import { PublicPage } from '../../features/accounts/components/public-page.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useContractForm } from '../../lib/forms/use-contract-form.ts';
import { paths, safeReturnPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { PasswordField } from '../../ui/password-fields.tsx';
import { LoadingLine } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toast.ts';
import { useProviderArrival, type ProviderArrival } from './use-provider-arrival.ts';
import styles from '../../features/accounts/components/public-page.module.css';
import { outcomeSentence } from '../../features/accounts/model/provider-outcome.ts';

type Arrival = { from: string; ended: boolean; message: string | null; email: string };

/**
 * Navigation state from the previous page: the return address, whether the session has expired, a message, and an email
 * address to prefill.
 */
function readArrival(state: unknown): Arrival {
  const left: Record<string, unknown> = typeof state === 'object' && state !== null ? { ...state } : {};
  return {
    from: safeReturnPath(left['from']),
    ended: left['ended'] === 'expired',
    message: typeof left['message'] === 'string' ? left['message'] : null,
    email: typeof left['email'] === 'string' ? left['email'] : '',
  };
}

/** Connects the account to the provider. If that fails, the person stays signed in. */
async function connect(): Promise<void> {
  try {
    toast.ok('Connected', await connectProvider(), { forNextScreen: true });
  } catch (error) {
    toast.bad('Not connected', errorSentence(error, 'Please try again the next time you log in.'), {
      forNextScreen: true,
    });
  }
}

/** `/login`. Empty and malformed input is sent, too, because the server checks it (specification, section 5). */
export function LoginScreen() {
  const navigate = useNavigate();
  const arrival = readArrival(useLocation().state);
  const { label, passwords, signUp, isKnown } = useSignInOptions();
  // An administrator who lets someone sign in with a password gives them this address (decision 250).
  const isExcepted = useSearchParams()[0].has('password');
  const provider = useProviderArrival();
  const connecting = provider.state === 'connect' ? provider.email : null;
  const form = useContractForm({
    schema: loginSchema,
    initial: { email: connecting ?? arrival.email, password: '' },
    body: (values) => values,
    failed: 'An error occurred',
    send: async (credentials) => {
      await logIn(credentials);
      if (connecting !== null && credentials.email.trim().toLowerCase() === connecting) await connect();
      void navigate(arrival.from, { replace: true });
    },
  });
  const isUntried = !form.isSending && form.problem === null;

  if (provider.state === 'entering') {
    return (
      <PublicPage title="Log in">
        <LoadingLine>Logging in…</LoadingLine>
      </PublicPage>
    );
  }
  const usesPassword = passwords || isExcepted || connecting !== null;
  const notes = (
    <>
      {isUntried && <ProviderNote arrival={provider} label={label} />}
      {arrival.message && <Note tone="ok">{arrival.message}</Note>}
      {arrival.ended && isUntried && <Note>Your session has ended. Log in to continue where you left off.</Note>}
    </>
  );
  return (
    <PublicPage
      title="Log in"
      lede={
        signUp === 'closed' ? (
          'New here? Ask an owner or admin for an invitation.'
        ) : (
          <>
            New here?{' '}
            <Link to={paths.signup} className="med">
              Create account
            </Link>
          </>
        )
      }
    >
      {!isKnown && connecting === null && !isExcepted ? (
        // Otherwise people would start to type their password into a form that then disappears.
        <>
          {notes}
          <LoadingLine>Loading…</LoadingLine>
        </>
      ) : usesPassword ? (
        <form onSubmit={form.submit} noValidate>
          {notes}
          <TextField {...form.field('email')} label="Email" large type="email" autoComplete="username" />
          <PasswordField
            {...form.field('password')}
            label="Password"
            large
            autoComplete="current-password"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person came to log in, and their address is filled in.
            autoFocus={arrival.email !== ''}
          />
          <div className={styles.sub}>
            {form.problem && <Note tone="bad">{form.problem}</Note>}
            <Button type="submit" tone="primary" size="lg" busy={form.isSending && 'Logging in…'}>
              Log in
            </Button>
            <p className={styles.other}>
              <Link to={paths.resetPassword} state={{ email: form.values.email }} className="med">
                Forgot password?
              </Link>
            </p>
          </div>
        </form>
      ) : (
        notes
      )}
      {connecting === null && <ProviderButton label={label} from={arrival.from} alone={!usesPassword} />}
    </PublicPage>
  );
}

/** The result of a provider sign-in that failed or isn't finished. */
function ProviderNote({ arrival, label }: { arrival: ProviderArrival; label: string | null }) {
  switch (arrival.state) {
    case 'none':
    case 'entering':
      return null;
    case 'turned_back':
      return <Note tone="bad">{outcomeSentence(arrival.outcome, label)}</Note>;
    case 'connect':
      return <Note tone="warn">{arrival.sentence}</Note>;
    case 'failed':
      return <Note tone="bad">{errorSentence(arrival.error, outcomeSentence('failed', label))}</Note>;
  }
}
