import { type SlaState, slaStateOf } from '../sla/clock.ts';
import type { RunFact } from './facts.ts';
import type { ActiveStep, StepState } from './state.ts';

export type StepFact = Extract<RunFact, { activation: number }>;

/** The state of one step after a fact about it. Throws on a fact that can't have happened. */
export function stepAfter(before: StepState | undefined, fact: StepFact): StepState {
  if (!before) throw new Error(`${fact.type} of a step that the run doesn't have: ${fact.stepId}`);
  switch (fact.type) {
    case 'step_activated': {
      const { activation, at, dueAt, returned } = fact;
      return { state: 'active', activation, activatedAt: at, dueAt, pausedMs: 0, votes: [], submitted: null, returned };
    }
    case 'step_submitted': {
      const { by, at, output, notes } = fact;
      return { ...active(before, fact), submitted: { by, at, output, notes } };
    }
    case 'step_returned': {
      const { by, at, comments } = fact;
      return { ...active(before, fact), submitted: null, returned: { by, at, comments } };
    }
    case 'step_approved': {
      const { by, at, comments } = fact;
      const step = active(before, fact);
      return { ...step, votes: [...step.votes, { by, at, comments }] };
    }
    case 'step_completed': {
      const step = active(before, fact);
      const { votes, submitted } = step;
      const { at, by, output, report } = fact;
      const slaVerdict = verdictAt(step, at);
      return {
        ...clockOf(step),
        state: 'completed',
        completedAt: at,
        by,
        output,
        votes,
        submitted,
        report,
        slaVerdict,
      };
    }
    case 'step_failed': {
      const step = active(before, fact);
      return {
        ...clockOf(step),
        state: 'failed',
        failedAt: fact.at,
        reason: fact.reason,
        ...(fact.simulated && { simulated: true }),
        slaVerdict: verdictAt(step, fact.at),
      };
    }
    case 'step_skipped': {
      const { activation, at, by, reason } = fact;
      const skipped = { state: 'skipped', activation, skippedAt: at, by, reason } as const;
      if (!fact.onward) return { ...skipped, onward: false, clock: null, slaVerdict: null };
      const step = active(before, fact);
      return { ...skipped, onward: true, clock: clockOf(step), slaVerdict: verdictAt(step, at) };
    }
    case 'step_reset':
      return { state: 'waiting', activation: fact.activation };
    case 'step_rejected':
    case 'step_retried':
      // What they lead to are facts of their own: resets, a failure, an activation.
      return before;
  }
}

function active(step: StepState, fact: StepFact): ActiveStep {
  if (step.state !== 'active') throw new Error(`${fact.type} of ${fact.stepId}, which is ${step.state}`);
  return step;
}

function clockOf({ activation, activatedAt, dueAt, pausedMs }: ActiveStep) {
  return { activation, activatedAt, dueAt, pausedMs };
}

function verdictAt(step: ActiveStep, endedAt: number): SlaState | null {
  return slaStateOf({ ...step, now: endedAt, endedAt });
}
