const LATEST_MS = 1000;

/**
 * Calls `act` once the page is idle, after at most one second. Browsers that can't tell when it is (Safari) call it in
 * the next task. Returns a function that cancels it.
 */
export function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 0);
    return () => clearTimeout(timer);
  }
  const call = window.requestIdleCallback(act, { timeout: LATEST_MS });
  return () => window.cancelIdleCallback(call);
}
