import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { useToken } from '../../lib/session/use-token.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** The name and the ways in; who is signed in has only one. */
export function LandingHeader() {
  const token = useToken();
  return (
    <header className="top">
      <Link className="mark" to={paths.home}>
        Stet
      </Link>
      <nav aria-label="Account">
        {token === null ? (
          <>
            <ButtonLink tone="quiet" to={paths.login}>
              Log in
            </ButtonLink>
            <ButtonLink to={paths.signup}>Create account</ButtonLink>
          </>
        ) : (
          <ButtonLink to={paths.app}>Go to your workflows</ButtonLink>
        )}
      </nav>
    </header>
  );
}
