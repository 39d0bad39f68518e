import { REDIRECT_MS } from '@stet/domain/defaults';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { signUp } from '../../features/accounts/api/sign-up.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import type { SignupForm as Form } from '../../features/accounts/model/signup-form.ts';
import { PublicPage } from '../../features/accounts/parts/public-page.tsx';
import { SignupForm } from '../../features/accounts/parts/signup-form.tsx';
import { useIntent } from '../../lib/api/intent.ts';
import { paths } from '../../lib/paths.ts';
import { Note } from '../../ui/note.tsx';

// Long enough to read the line, as specified (section 4).

/** `/signup`: with a token in the answer straight into the app, without one a word and then to the login. */
export function SignupScreen() {
  const navigate = useNavigate();
  const intent = useIntent();
  const [created, setCreated] = useState(false);
  const { submission, submit } = useSubmit(async (form: Form) => {
    try {
      const outcome = await signUp(form, intent.keyFor(form));
      intent.settle();
      if (outcome === 'signed_in') void navigate(paths.app, { replace: true });
      else setCreated(true);
    } catch (error) {
      intent.settle(error);
      throw error;
    }
  });

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
      ) : (
        <SignupForm submission={submission} onSubmit={submit} />
      )}
    </PublicPage>
  );
}
