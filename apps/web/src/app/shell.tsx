import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router';
import { isUnderDialog } from '../lib/keys/free-key.ts';
import { useSignedIn } from '../lib/session/signed-in.ts';
import { LinkButton } from '../ui/button.tsx';
import { FailureNote, Note } from '../ui/note.tsx';
import { EndingNote } from './ending-note.tsx';
import { hasTabBar, isFullScreen } from './navigation.ts';
import { readSwitchFailure } from './organization-request.ts';
import { Panels } from './panels.tsx';
import { TabBar } from './tab-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { classNames } from '../ui/class-names.ts';
import styles from './shell.module.css';

/** The frame around every signed-in screen. */
export function Shell({ onRetry }: { onRetry: () => void }) {
  const { source } = useSignedIn();
  const isOnline = useOnline();
  const location = useLocation();
  const navigate = useNavigate();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location.pathname);

  // The focus moves to the new screen, so that screen readers announce it and Tab starts at its top. The browser itself
  // announces the first screen.
  useEffect(() => {
    if (shown.current === location.pathname) return;
    shown.current = location.pathname;
    // If a dialog has already opened, it keeps the focus.
    if (!isUnderDialog()) main.current?.focus({ preventScroll: true });
  }, [location.pathname]);

  const tabBar = hasTabBar(location);
  const notSwitched = readSwitchFailure(location.state);
  return (
    <div className={classNames(styles.shell, tabBar && styles.withTabs)}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      {!isFullScreen(location) && <TopBar />}
      {!isOnline && (
        <div className={styles.offline}>
          <Note tone="warn">
            You’re offline. Data may be out of date, and changes can’t be saved until you’re back online.
          </Note>
        </div>
      )}
      {isOnline && source === 'token' && (
        <div className={styles.offline}>
          <Note tone="warn">
            Couldn’t confirm your sign-in. Data may be out of date, and changes may not be saved.{' '}
            <LinkButton onClick={onRetry}>Try again</LinkButton>
          </Note>
        </div>
      )}
      <EndingNote className={styles.offline} />
      {notSwitched !== null && (
        <div className={styles.offline}>
          <FailureNote
            cause={location.state}
            title="Failed to switch organizations"
            message={notSwitched}
            onDismiss={() => void navigate(location, { replace: true, state: null })}
          />
        </div>
      )}
      <main id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      {tabBar && <TabBar />}
      <Panels />
      <ScrollRestoration />
    </div>
  );
}

/** Whether the browser is online. Even if it is, the server may be unreachable. */
function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}
