import type { Step } from '../step.ts';

/**
 * How an automated step without a script is simulated: the delay in milliseconds, the share of runs that fail, and the
 * bounds of the reported duration, in milliseconds.
 */
export const SIMULATION = { waitMs: 2000, failureRate: 0.1, reportedMs: { least: 1000, most: 6000 } } as const;

/** True if an automated step has no script and is therefore simulated (decision 72). */
export const isSimulated = (step: Step | undefined): boolean =>
  step?.type === 'automated' && (step.config.script ?? '').trim() === '';
