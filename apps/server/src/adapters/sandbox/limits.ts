import { SCRIPT_SECONDS } from '@stet/domain/steps';

/** Limits of a script and its output. Lengths are in characters of JSON or text. */
export const SANDBOX_LIMITS = {
  /**
   * The longest timeout that a step can have. A script can't wait for anything, so if it takes longer, it is probably
   * in an endless loop.
   */
  scriptMs: SCRIPT_SECONDS.ceiling * 1000,
  /** The longest timeout of conditions and trials, for which people wait. */
  shortMs: 10_000,
  memoryMb: 64,
  /** Heap size of the process, in addition to the script's memory. */
  heapMb: 192,
  value: 100_000,
  logLines: 200,
  logLine: 1000,
  log: 20_000,
  reason: 500,
} as const;

export const tooSlow = (timeoutMs: number): string => {
  const seconds = timeoutMs / 1000;
  return `Timed out after ${seconds === 1 ? '1 second' : `${seconds} seconds`}`;
};
export const TOO_LARGE = 'Used too much memory';
