import { useNow } from './use-now.ts';

const TICK_MS = 15_000;

/**
 * The ticking server clock in milliseconds: due times are the server's, and this browser's clock may be off. `told` is
 * the server's clock at the response, `toldAt` the browser's; before a response, only the browser's clock is used.
 */
export function useServerNow(answer: { now: number } | undefined, answeredAt: number): number {
  return useNow(TICK_MS) + (answer ? answer.now - answeredAt : 0);
}
