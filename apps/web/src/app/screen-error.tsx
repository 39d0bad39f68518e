import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { ErrorState } from '../ui/empty-state.tsx';
import { RouteTrouble } from './route-error.tsx';

// What browsers say when the code of a screen can't be fetched; there is no better sign of it.
const NOT_FETCHED = /dynamically imported module|importing a module script failed|preload css/i;

/** Stands in the frame's main part for a screen that could not be fetched; the bar above stays. Any other error is the router's. */
export function ScreenError() {
  const error = useRouteError();
  if (error instanceof Error && NOT_FETCHED.test(error.message)) return <NotFetched />;
  return (
    <div className="page">
      <RouteTrouble />
    </div>
  );
}

/** Is tried again by hand, and by itself once the network is back. */
function NotFetched() {
  const [tries, setTries] = useState<'none' | 'asking' | 'failed'>('none');
  const tryAgain = async () => {
    setTries('asking');
    const answer = await fetch('/api/health').catch(() => null);
    // The page is only given up where there is another one to be had.
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
      <h1 className="vh">Stet</h1>
      <ErrorState
        title="The server can’t be reached"
        retryLabel={tries === 'asking' ? 'Trying…' : 'Try again'}
        onRetry={() => void tryAgain()}
      >
        {tries === 'failed'
          ? 'Still no answer. Check the connection and try again.'
          : 'This page could not be fetched. Check the connection and try again.'}
      </ErrorState>
    </div>
  );
}
