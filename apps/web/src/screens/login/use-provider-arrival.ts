import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { enterByProvider } from '../../features/accounts/api/sign-in-provider.ts';
import { type ProviderOutcome, readOutcome } from '../../features/accounts/model/provider-outcome.ts';
import { returnPath } from '../../features/accounts/model/return-path.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';

/**
 * The state of a sign-in after the provider has sent the person back. `connect`: their address already has an account,
 * and they have to enter its password once to connect the two.
 */
export type ProviderArrival =
  | { state: 'none' }
  | { state: 'entering' }
  | { state: 'turned_back'; outcome: Exclude<ProviderOutcome, 'ready'> }
  | { state: 'connect'; email: string; sentence: string }
  | { state: 'failed'; error: unknown };

/**
 * Reads a sign-in's result from the URL and removes it there. After a successful sign-in, opens the page that the
 * person wanted.
 */
export function useProviderArrival(): ProviderArrival {
  const navigate = useNavigate();
  const outcome = readOutcome(useSearchParams()[0]);
  const [arrival, setArrival] = useState<ProviderArrival>(
    outcome === null
      ? { state: 'none' }
      : outcome === 'ready'
        ? { state: 'entering' }
        : { state: 'turned_back', outcome },
  );
  const isTaken = useRef(false);
  useEffect(() => {
    if (outcome === null || isTaken.current) return;
    isTaken.current = true;
    const from = returnPath.read();
    void navigate(paths.login, { replace: true, state: { from } });
    if (outcome !== 'ready') return;
    enterByProvider().then(
      () => navigate(from, { replace: true }),
      (error: unknown) => {
        const connectable = readConnectable(error);
        setArrival(connectable ? { state: 'connect', ...connectable } : { state: 'failed', error });
      },
    );
  }, [outcome, navigate]);
  return arrival;
}

/** The account that the person can connect by entering its password, if the error says so; otherwise null. */
function readConnectable(error: unknown): { email: string; sentence: string } | null {
  if (!(error instanceof ApiError) || error.code !== 'account_to_connect') return null;
  const [first] = error.details as readonly { email?: unknown }[];
  return { email: typeof first?.email === 'string' ? first.email : '', sentence: error.message };
}
