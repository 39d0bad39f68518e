import { QueryClientProvider, QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { paths } from '../lib/paths.ts';
import { session } from '../lib/session/session.ts';
import { useMe } from '../lib/session/use-me.ts';
import { useToken } from '../lib/session/use-token.ts';
import { LoadingLine } from '../ui/spinner.tsx';
import { AfterPatience } from '../ui/skeleton.tsx';
import { Toaster } from '../ui/toaster.tsx';
import { UiProvider } from '../ui/ui-provider.tsx';
import { screenOf } from './navigation.ts';
import { LoggingOut, isLogOutRequest } from './use-log-out.ts';
import { OrganizationOfTab } from './organization-of-tab.tsx';
import { ApiError } from '../lib/api/api-error.ts';

/** The guard of `/app`. Without a session it redirects to the login page, which returns here afterwards. */
export function SignedInApp() {
  const token = useToken();
  const location = useLocation();
  // Everyone returns here after logging in, except a person who has just logged out.
  const [cameSignedIn] = useState(token !== null);
  if (token === null) {
    const ended = cameSignedIn ? session.lastEnd() : null;
    const from = ended === 'logout' ? undefined : location.pathname + location.search;
    return <Navigate to={paths.login} replace state={{ from, ended }} />;
  }
  if (isLogOutRequest(location.state)) return <LoggingOut />;
  return <Session key={token} token={token} />;
}

function Session({ token }: { token: string }) {
  const screen = screenOf(useLocation());
  const queryClient = useMemo(() => createQueryClient(), []);
  return (
    <QueryClientProvider client={queryClient}>
      <UiProvider>
        <KnownUser token={token} />
        <Toaster screen={screen} />
      </UiProvider>
    </QueryClientProvider>
  );
}

function KnownUser({ token }: { token: string }) {
  const me = useMe(token);
  if (me.state === 'unknown') return <EndUnreadableSession />;
  if (me.state === 'loading') {
    return (
      <AfterPatience label="Loading">
        <LoadingLine>Loading…</LoadingLine>
      </AfterPatience>
    );
  }
  return <OrganizationOfTab me={me} />;
}

/** Ends a session without a known user: the server can't be reached or fails, and the token can't be read. */
function EndUnreadableSession() {
  useEffect(() => session.end('expired'), []);
  return null;
}

// The server would repeat a refusal, so only missing responses and responses like 502 or 503 are retried.
const isWorthRetrying = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'offline' || error.status >= 502);

/** Creates the query cache. Each session has its own, so that nobody sees another person's data. */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (failures, error) => failures < 1 && isWorthRetrying(error),
        networkMode: 'always',
      },
      // Only the person retries a failed write. After a lost response, `useIntent` sends the same Idempotency-Key again.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
