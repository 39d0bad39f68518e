import type { RunStep } from '@stet/contract';

/** What an active or failed step needs next. This determines the panel of its card. */
export type StepPanel =
  /** A manual step needs input. */
  | { kind: 'input' }
  /** A manual step's input needs another person's approval. */
  | { kind: 'submitted'; by: string }
  /** An approval step needs votes. */
  | { kind: 'approval' }
  /** The server executes the step. A person can only wait or skip it. */
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

/** The open steps: the active ones, and the failed one in a failed run. */
export const openSteps = (steps: readonly RunStep[]): RunStep[] =>
  steps.filter(({ state }) => state === 'active' || state === 'failed');
