import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../lib/api/api-error.ts';

// An answer is an answer: asking again gives the same. Only silence and trouble of the server are worth another try.
const isWorthRetrying = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'offline' || error.status >= 502);

/** The cache of what the server said; one for each session, so that no one sees what another one loaded. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (failures, error) => failures < 1 && isWorthRetrying(error),
        networkMode: 'always',
      },
      // Failed writes are tried again by the person, with the same Idempotency-Key.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
