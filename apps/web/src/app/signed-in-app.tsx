import { QueryClientProvider } from '@tanstack/react-query';
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
import { createQueryClient } from './query-client.ts';
import { LoggingOut, isLogOutRequest } from './use-log-out.ts';
import { OrganizationOfTab } from './organization-of-tab.tsx';

/** The guard of `/app`: without a session the login screen takes the place in history, and remembers where one was. */
export function SignedInApp() {
  const token = useToken();
  const location = useLocation();
  // Who arrives without a session wants to come here; who just logged out here wants to leave.
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
  const queryClient = useMemo(() => createQueryClient(), []);
  return (
    <QueryClientProvider client={queryClient}>
      <UiProvider>
        <KnownUser token={token} />
        <Toaster />
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

/** The server is silent and the token can't be read: there is nobody to show the app to. */
function EndUnreadableSession() {
  useEffect(() => session.end('expired'), []);
  return null;
}
