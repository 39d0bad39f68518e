import { readFileSync } from 'node:fs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `cleanUp` if SIGINT, SIGTERM or SIGHUP ends this process before the returned function is called. After that
 * call, these signals end the process as usual.
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

/**
 * Ends the processes that this process has started. Otherwise an initdb or a PostgreSQL would create its folders again
 * while they are being removed. Does nothing on other systems than Linux.
 */
export function killChildren(): void {
  try {
    const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
    for (const pid of children.split(' ').filter(Boolean)) process.kill(Number(pid), 'SIGKILL');
  } catch {
    // A process has already ended, or the system isn't Linux.
  }
}
