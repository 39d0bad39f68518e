import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { isUnderDialog } from '../lib/keys/free-key.ts';
import { useSignedIn } from '../lib/session/signed-in.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Note } from '../ui/note.tsx';
import { hasTabBar, isFullScreen } from './navigation.ts';
import { Panels } from './panels.tsx';
import { TabBar } from './tab-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { useOnline } from './use-online.ts';
import './shell.css';

/** The frame round every signed-in screen. */
export function Shell({ onRetry }: { onRetry: () => void }) {
  const { source } = useSignedIn();
  const isOnline = useOnline();
  const location = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location.pathname);

  // A screen reader hears the new screen, and Tab starts at its top; not on the first one, which the browser announces.
  useEffect(() => {
    if (shown.current === location.pathname) return;
    shown.current = location.pathname;
    // A dialog that was called meanwhile keeps it.
    if (!isUnderDialog()) main.current?.focus({ preventScroll: true });
  }, [location.pathname]);

  const tabBar = hasTabBar(location);
  return (
    <div className={tabBar ? 'shell with-tabs' : 'shell'}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      {!isFullScreen(location) && <TopBar />}
      {!isOnline && (
        <div className="offline">
          <Note tone="warn">
            There is no connection. What you see may be old, and nothing is saved until it is back.
          </Note>
        </div>
      )}
      {isOnline && source === 'token' && (
        <div className="offline">
          <Note tone="warn">
            The server can’t be asked who you are. What you see may be old; changes may not be saved.{' '}
            <button type="button" className="link" onClick={onRetry}>
              Try again
            </button>
          </Note>
        </div>
      )}
      <main id="main" ref={main} tabIndex={-1}>
        <ErrorBoundary key={location.pathname}>
          <Outlet />
        </ErrorBoundary>
      </main>
      {tabBar && <TabBar />}
      <Panels />
      <ScrollRestoration />
    </div>
  );
}
