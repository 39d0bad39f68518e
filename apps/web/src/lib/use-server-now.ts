import { useNow } from './use-now.ts';

const TICK_MS = 15_000;

/**
 * The server's clock in milliseconds, ticking: due times are the server's, and this browser's clock may be off. `told`
 * has the server's clock as it stood when the answer came, `toldAt` this browser's; the browser's alone until one came.
 */
export function useServerNow(told: { now: number } | undefined, toldAt: number): number {
  return useNow(TICK_MS) + (told ? told.now - toldAt : 0);
}
