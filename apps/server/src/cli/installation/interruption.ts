const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `cleanUp` if a signal ends this process before the returned function is called. Afterwards the signal ends the
 * process as usual.
 */
export function onInterruption(cleanUp: () => void): () => void {
  const interrupted = (signal: NodeJS.Signals): void => {
    stop();
    try {
      cleanUp();
    } finally {
      process.kill(process.pid, signal);
    }
  };
  const stop = (): void => {
    for (const signal of SIGNALS) process.off(signal, interrupted);
  };
  for (const signal of SIGNALS) process.on(signal, interrupted);
  return stop;
}
