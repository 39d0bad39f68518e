import type { RunStep } from '@stet/contract';

/** What a step that is active (or failed) asks for: which panel its card shows. */
export type StepPanel =
  /** A manual step's input is wanted. */
  | { kind: 'input' }
  /** A manual step's input was given and waits for another person. */
  | { kind: 'submitted'; by: string }
  /** Votes are wanted. */
  | { kind: 'approval' }
  /** The server acts; a person can only watch, or skip. */
  | { kind: 'waiting' }
  | { kind: 'failed'; reason: string };

export function panelOf(step: RunStep): StepPanel {
  if (step.state === 'failed') return { kind: 'failed', reason: step.reason ?? 'no reason was given' };
  switch (step.type) {
    case 'manual':
      return step.submittedBy ? { kind: 'submitted', by: step.submittedBy.name } : { kind: 'input' };
    case 'approval':
      return { kind: 'approval' };
    case 'automated':
    case 'condition':
    case 'notification':
      return { kind: 'waiting' };
  }
}

/** Steps that stand open: active ones, and the failed one of a failed run. */
export const openSteps = (steps: readonly RunStep[]): RunStep[] =>
  steps.filter(({ state }) => state === 'active' || state === 'failed');
