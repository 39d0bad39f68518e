import type { MouseEvent, ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { useToken } from '../../lib/session/use-token.ts';
import { classNames } from '../../ui/class-names.ts';
import '../../ui/button.css';

/** Leads to another address of the app. */
export type Go = (path: string) => void;

/** The name and the ways in; who is signed in has only one. */
export function LandingHeader({ go }: { go: Go }) {
  const token = useToken();
  return (
    <header className="top">
      <span className="mark">Stet</span>
      <nav aria-label="Account">
        {token === null ? (
          <>
            <WayIn to={paths.login} go={go} quiet>
              Log in
            </WayIn>
            <WayIn to={paths.signup} go={go}>
              Create account
            </WayIn>
          </>
        ) : (
          <WayIn to={paths.app} go={go}>
            Go to your workflows
          </WayIn>
        )}
      </nav>
    </header>
  );
}

type WayInProps = { to: string; go: Go; quiet?: boolean; children: ReactNode };

/** A true link; only the plain click stays within the page. */
function WayIn({ to, go, quiet = false, children }: WayInProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a className={classNames('btn', quiet && 'quiet')} href={to} onClick={follow}>
      {children}
    </a>
  );
}
