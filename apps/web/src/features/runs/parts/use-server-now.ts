import { useNow } from '../../../lib/use-now.ts';

const TICK_MS = 15_000;

/** The server's clock in milliseconds, ticking: due times are the server's, and this browser's clock may be off. */
export function useServerNow(run: { now: number }, updatedAt: number): number {
  return useNow(TICK_MS) + (run.now - updatedAt);
}
