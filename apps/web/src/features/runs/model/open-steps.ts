import type { RunStep } from '@stet/contract';

/** The open steps: the active ones, and the failed one in a failed run. */
export const openSteps = (steps: readonly RunStep[]): RunStep[] =>
  steps.filter(({ state }) => state === 'active' || state === 'failed');
