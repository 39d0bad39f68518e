import { SCRIPT_SECONDS } from '@stet/domain/defaults';

/** What a script has and may leave behind. Lengths in characters of JSON or text. */
export const SANDBOX_LIMITS = {
  /** However long a step's timeout is: a script waits for nothing, so what takes longer than this will not end. */
  scriptMs: SCRIPT_SECONDS.ceiling * 1000,
  /** Of what someone waits for: conditions and trials. */
  shortMs: 10_000,
  memoryMb: 64,
  /** Of the process that it runs in, beside that memory. */
  heapMb: 192,
  value: 100_000,
  logLines: 200,
  logLine: 1000,
  log: 20_000,
  reason: 500,
} as const;

export const tooSlow = (timeoutMs: number): string => {
  const seconds = timeoutMs / 1000;
  return `It took longer than ${seconds === 1 ? '1 second' : `${seconds} seconds`}`;
};
export const TOO_LARGE = 'It used more memory than it has';
