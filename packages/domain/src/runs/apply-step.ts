import { type SlaState, slaStateOf } from '../sla/clock.ts';
import type { RunFact } from './facts.ts';
import type { ActiveStep, SlaTold, StepState } from './state.ts';

export type StepFact = Extract<RunFact, { activation: number }>;

/** The state of one step after a fact about it. Throws on a fact that can't have happened. */
export function stepAfter(before: StepState | undefined, fact: StepFact): StepState {
  if (!before) throw new Error(`${fact.type} of a step that the run doesn't have: ${fact.stepId}`);
  switch (fact.type) {
    case 'step_activated': {
      const { activation, at, dueAt, riskAt, returned } = fact;
      const clock = { activation, activatedAt: at, dueAt, pausedMs: 0, ...(riskAt !== undefined && { riskAt }) };
      return { ...clock, state: 'active', votes: [], submitted: null, returned };
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
        ...(fact.usedShare !== undefined && { usedShare: fact.usedShare }),
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
    case 'sla_at_risk':
    case 'sla_breached':
    case 'sla_reminded':
      return toldStep(before, fact);
    case 'step_rejected':
    case 'step_retried':
      // What they lead to are facts of their own: resets, a failure, an activation.
      return before;
  }
}

function toldStep(step: StepState, fact: SlaFact): StepState {
  if (step.state === 'waiting') throw new Error(`${fact.type} of ${fact.stepId}, which waits`);
  if (step.state !== 'skipped') return { ...step, told: toldAfter(step.told, fact) };
  return step.onward ? { ...step, clock: { ...step.clock, told: toldAfter(step.clock.told, fact) } } : step;
}

type SlaFact = Extract<RunFact, { type: `sla_${string}` }>;

/** What has been told of a clock after one more telling. */
export function toldAfter(before: SlaTold | undefined, fact: SlaFact): SlaTold {
  if (fact.type === 'sla_at_risk') return { state: 'at_risk', at: fact.at };
  if (fact.type === 'sla_breached')
    return { state: 'breached', at: fact.at, againAfterMs: fact.againAfterMs, reminders: 0 };
  if (before?.state !== 'breached') throw new Error('A reminder comes after a breach');
  // From the last time on: what a sweep was late with is not made up for.
  return { ...before, at: fact.at, reminders: fact.reminders };
}

function active(step: StepState, fact: StepFact): ActiveStep {
  if (step.state !== 'active') throw new Error(`${fact.type} of ${fact.stepId}, which is ${step.state}`);
  return step;
}

function clockOf({ activation, activatedAt, dueAt, pausedMs, riskAt, told }: ActiveStep) {
  return { activation, activatedAt, dueAt, pausedMs, ...(riskAt !== undefined && { riskAt }), ...(told && { told }) };
}

function verdictAt(step: ActiveStep, endedAt: number): SlaState | null {
  return slaStateOf({ ...step, now: endedAt, endedAt });
}
