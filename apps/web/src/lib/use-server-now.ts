import { useNow } from './use-now.ts';

const TICK_MS = 15_000;

/**
 * The server's time in milliseconds, updated every 15 seconds. Due times use the server's clock, and this browser's
 * clock may be wrong. `answeredAt` is the browser's time when the response arrived. Until there is a response, the
 * browser's time is used.
 */
export function useServerNow(answer: { now: number } | undefined, answeredAt: number): number {
  return useNow(TICK_MS) + (answer ? answer.now - answeredAt : 0);
}
