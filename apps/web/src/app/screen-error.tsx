import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { ErrorState } from '../ui/empty-state.tsx';
import { PageTitle } from '../ui/page-title.tsx';

// Browsers only report a failed chunk through the error message, so we match its text.
const NOT_FETCHED = /dynamically imported module|importing a module script failed|preload css/i;

/**
 * Replaces a screen that crashed or couldn't be loaded (specification, section 2, shared UI). A signed-in screen keeps
 * its top bar, unless the frame itself crashed.
 */
export function ScreenError() {
  const error = useRouteError();
  if (error instanceof Error && NOT_FETCHED.test(error.message)) return <NotFetched />;
  return (
    <div className="page">
      <PageTitle>Something went wrong</PageTitle>
      <ErrorState
        heading="h1"
        title="Something went wrong"
        retryLabel="Reload page"
        onRetry={() => window.location.reload()}
      >
        Your saved work is safe.
      </ErrorState>
    </div>
  );
}

/** Retries when the person asks and automatically once the network is back. */
function NotFetched() {
  const [tries, setTries] = useState<'none' | 'asking' | 'failed'>('none');
  const tryAgain = async () => {
    setTries('asking');
    const answer = await fetch('/api/health').catch(() => null);
    // Reload only if the server responds; otherwise the browser would replace the page with its own error.
    if (answer?.ok) window.location.reload();
    else setTries('failed');
  };
  useEffect(() => {
    const onBack = () => void tryAgain();
    window.addEventListener('online', onBack);
    return () => window.removeEventListener('online', onBack);
  }, []);
  return (
    <div className="page">
      <PageTitle>The server can’t be reached</PageTitle>
      <ErrorState
        heading="h1"
        title="The server can’t be reached"
        retryLabel={tries === 'asking' ? 'Trying…' : 'Try again'}
        onRetry={() => void tryAgain()}
      >
        {tries === 'failed'
          ? 'Still no response. Check the connection and try again.'
          : 'This page couldn’t be loaded. Check the connection and try again.'}
      </ErrorState>
    </div>
  );
}
