const LATEST_MS = 1000;

/** Does something once the page has nothing else to do, and within a second in any case. Gives what calls it off. */
export function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 0);
    return () => clearTimeout(timer);
  }
  const call = window.requestIdleCallback(act, { timeout: LATEST_MS });
  return () => window.cancelIdleCallback(call);
}
