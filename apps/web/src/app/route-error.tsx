import { isRouteErrorResponse, useLocation, useRouteError } from 'react-router';
import { ErrorState } from '../ui/empty-state.tsx';
import { PageTitle } from '../ui/page-title.tsx';

/** The router's fallback (specification, section 2, shared UI): unknown addresses and whatever no screen caught. */
export function RouteError() {
  return (
    <main className="page">
      <RouteTrouble />
    </main>
  );
}

/** What the fallback says, without the page around it. */
export function RouteTrouble() {
  const error = useRouteError();
  const { pathname } = useLocation();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <>
      <h1 className="vh">Stet</h1>
      <PageTitle>{isMissing ? '404' : 'Error'}</PageTitle>
      <ErrorState
        title="Unexpected Application Error"
        action={
          isMissing ? (
            <a className="btn" href="/">
              Go to the start
            </a>
          ) : undefined
        }
        {...(!isMissing && { retryLabel: 'Reload page', onRetry: () => window.location.reload() })}
      >
        {isMissing ? `404: No route matches URL "${pathname}"` : 'What was saved is safe.'}
      </ErrorState>
    </>
  );
}
