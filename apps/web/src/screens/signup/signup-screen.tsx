import { REDIRECT_MS } from '@stet/presentation/constants';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSignInOptions } from '../../features/accounts/api/use-sign-in-options.ts';
import { signUp } from '../../features/accounts/api/sign-up.ts';
import type { SignupBody } from '../../features/accounts/api/sign-up.ts';
import { PublicPage } from '../../features/accounts/components/public-page.tsx';
import { ProviderButton } from '../../features/accounts/components/provider-button.tsx';
import { SignupForm } from '../../features/accounts/components/signup-form.tsx';
import { useIntent } from '../../lib/api/intent.ts';
import { paths } from '../../lib/paths.ts';
import { Note } from '../../ui/note.tsx';
import { LoadingLine } from '../../ui/spinner.tsx';

/** `/signup`. If the response has a token, it opens the app. Otherwise it shows a message and then the login. */
export function SignupScreen() {
  const navigate = useNavigate();
  const intent = useIntent();
  const [created, setCreated] = useState(false);
  const ways = useSignInOptions();
  const send = async (body: SignupBody) => {
    try {
      const outcome = await signUp(body, intent.keyFor(body));
      intent.finish();
      if (outcome === 'signed_in') void navigate(paths.app, { replace: true });
      else setCreated(true);
    } catch (error) {
      intent.finish(error);
      throw error;
    }
  };

  useEffect(() => {
    if (!created) return;
    const timer = setTimeout(() => void navigate(paths.login), REDIRECT_MS.afterSignup);
    return () => clearTimeout(timer);
  }, [created, navigate]);

  return (
    <PublicPage
      title="Create Account"
      lede={
        <>
          Already have an account?{' '}
          <Link to={paths.login} className="med">
            Sign in
          </Link>
        </>
      }
    >
      {created ? (
        <Note tone="ok">Account created! Redirecting…</Note>
      ) : !ways.isKnown ? (
        <LoadingLine>Loading…</LoadingLine>
      ) : ways.signUp === 'closed' ? (
        <Note>Sign-up is closed. Ask an owner or admin for an invitation.</Note>
      ) : !ways.passwords ? (
        <>
          <Note>Accounts are created here by signing in with {ways.label}.</Note>
          <ProviderButton label={ways.label} from={paths.app} alone />
        </>
      ) : (
        <SignupForm domains={ways.domains} onSend={send} />
      )}
    </PublicPage>
  );
}
