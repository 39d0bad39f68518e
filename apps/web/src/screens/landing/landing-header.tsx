import type { MouseEvent, ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { useToken } from '../../lib/session/use-token.ts';
import { buttonClass } from '../../ui/button-class.ts';
import styles from './landing-page.module.css';

/** Navigates to another address in the app. */
export type Go = (path: string) => void;

/** The product's name, with links to log in and sign up. A signed-in visitor sees a link to the app instead. */
export function LandingHeader({ go }: { go: Go }) {
  const token = useToken();
  return (
    <header className={styles.top}>
      <span className="mark">Stet</span>
      <nav aria-label="Account">
        {token === null ? (
          <>
            <WayIn to={paths.login} go={go} quiet>
              Log in
            </WayIn>
            <WayIn to={paths.signup} go={go} quiet>
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

/** A real link, so that it can be opened in a new tab. A plain click is handled within the page. */
function WayIn({ to, go, quiet = false, children }: WayInProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a className={buttonClass({ tone: quiet ? 'quiet' : 'plain' })} href={to} onClick={follow}>
      {children}
    </a>
  );
}
