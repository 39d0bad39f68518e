import type { ActsFor } from '../access/step-access.ts';
import { type SlaState, slaStateOf } from '../sla/clock.ts';
import type { DecisionMark } from './mark-words.ts';
import type { RunFact } from './facts.ts';
import { handedOverStep, releasedStep } from './hand-over.ts';
import {
  type ActiveStep,
  type Given,
  isSamePerson,
  personBehind,
  type Rejection,
  type RunActor,
  type SlaNotified,
  type StepState,
} from './state.ts';

export type StepFact = Extract<RunFact, { activation: number }>;

/**
 * Returns the state of one step after a fact about it. Throws if the fact requires an active step and this one isn't,
 * and for a crossing of a waiting step or a reminder without a breach.
 */
export function stepAfter(before: StepState | undefined, fact: StepFact): StepState {
  if (!before) throw new Error(`${fact.type} of a step that the run doesn't have: ${fact.stepId}`);
  switch (fact.type) {
    case 'step_activated': {
      const { activation, at, dueAt, riskAt, returned } = fact;
      const clock = { activation, activatedAt: at, dueAt, pausedMs: 0, ...(riskAt !== undefined && { riskAt }) };
      return { state: 'active', votes: [], submitted: null, returned, ...clock, ...rejectionOf(before) };
    }
    case 'step_submitted': {
      const { by, at, output, notes } = fact;
      return {
        ...active(before, fact),
        submitted: { by, at, output, notes, ...actedFor(fact), ...handedBy(fact) },
      };
    }
    case 'step_returned': {
      const { by, at, comments } = fact;
      return { ...active(before, fact), submitted: null, returned: { by, at, comments, ...actedFor(fact) } };
    }
    case 'step_approved': {
      const { by, at, comments } = fact;
      const { skipVotes, ...step } = active(before, fact);
      // Each person has one vote, so an approval replaces their agreement to skip.
      const stillSkip = skipVotes?.filter((vote) => !isSamePerson(vote.by, by)) ?? [];
      return {
        ...step,
        votes: [...step.votes, { by, at, comments, ...actedFor(fact), ...markedWith(fact) }],
        ...(stillSkip.length > 0 && { skipVotes: stillSkip }),
      };
    }
    case 'step_rejected': {
      const { by, at, comments, approvalMark } = fact;
      const rejected = { by, at, comments, ...markedWith(fact), ...(approvalMark && { approvalMark }) };
      return { ...active(before, fact), rejected };
    }
    case 'step_skip_agreed': {
      const { by, at, reason } = fact;
      const step = active(before, fact);
      return {
        ...step,
        skipVotes: [...(step.skipVotes ?? []), { by, at, reason, ...actedFor(fact), ...markedWith(fact) }],
      };
    }
    case 'step_completed': {
      const step = active(before, fact);
      const { votes, submitted } = step;
      const { at, by, output, report } = fact;
      const slaVerdict = verdictAt(step, at);
      return {
        state: 'completed',
        completedAt: at,
        by,
        output,
        votes,
        submitted,
        report,
        slaVerdict,
        ...clockOf(step),
        ...actedFor(fact),
        ...handedBy(fact),
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
        ...rejectionOf(step),
        slaVerdict: verdictAt(step, fact.at),
      };
    }
    case 'step_skipped': {
      const { activation, at, by, reason } = fact;
      const skipped = { state: 'skipped', activation, skippedAt: at, by, reason } as const;
      if (!fact.onward) return { ...skipped, onward: false, clock: null, slaVerdict: null };
      const step = active(before, fact);
      const hands = handsBeforeSkip(step, by);
      const marks = [...new Set([...(step.skipVotes ?? []), fact].flatMap((each) => each.marks ?? []))];
      return {
        ...skipped,
        onward: true,
        clock: clockOf(step),
        ...(hands.length > 1 && { hands }),
        ...(marks.length > 0 && { marks }),
        ...handedBy(fact),
        ...rejectionOf(step),
        slaVerdict: verdictAt(step, at),
      };
    }
    case 'step_claimed':
      return { ...active(before, fact), claimed: { by: fact.by, at: fact.at } };
    case 'step_released':
      return releasedStep(active(before, fact), fact.holder.id, fact.because ? null : personBehind(fact.by));
    case 'step_handed_over': {
      const { by, at, handedTo: to, reason, isOfApproval, givers } = fact;
      return handedOverStep(active(before, fact), {
        by,
        at,
        to,
        reason,
        ...(isOfApproval && { isOfApproval }),
        ...(givers && { givers }),
      });
    }
    case 'step_reset':
      return { state: 'waiting', activation: fact.activation, ...rejectionOf(before) };
    case 'step_retried':
      // The resulting activation is a separate fact.
      if (before.state !== 'failed' || fact.retriedAlone === undefined) return before;
      return {
        ...before,
        rejected: {
          ...(before.rejected ?? { by: null, at: before.failedAt, comments: before.reason }),
          ...(fact.retriedAlone && { retriedAlone: true }),
          ...(fact.marks && { retryMarks: fact.marks }),
        },
      };
    case 'sla_at_risk':
    case 'sla_breached':
    case 'sla_reminded':
      return notifiedStep(before, fact);
  }
}

function actedFor({ actsFor }: { actsFor?: ActsFor }): { actsFor?: ActsFor } {
  return actsFor ? { actsFor } : {};
}

const handedBy = ({ handedBy: givers }: Given): Given => (givers ? { handedBy: givers } : {});

type Marked = { marks?: readonly DecisionMark[]; addedBy?: string };

function markedWith({ marks, addedBy }: Marked): Marked {
  return marks ? { marks, ...(addedBy !== undefined && { addedBy }) } : {};
}

/** The rejection stays on its step until the step is approved. */
function rejectionOf(step: StepState): { rejected?: Rejection } {
  return 'rejected' in step && step.rejected ? { rejected: step.rejected } : {};
}

/** Returns everyone who contributed to a skipped step or agreed to skip it, each of them once. */
function handsBeforeSkip({ skipVotes = [], votes, submitted }: ActiveStep, by: RunActor): RunActor[] {
  const all = [...[...skipVotes, ...votes].map((vote) => vote.by), ...(submitted ? [submitted.by] : []), by];
  return [...new Map(all.map((actor) => [`${actor.id} ${actor.onBehalfOf?.id ?? ''}`, actor])).values()];
}

function notifiedStep(step: StepState, fact: SlaFact): StepState {
  if (step.state === 'waiting') throw new Error(`${fact.type} of ${fact.stepId}, which is waiting`);
  if (step.state !== 'skipped') return { ...step, told: notifiedAfter(step.told, fact) };
  return step.onward ? { ...step, clock: { ...step.clock, told: notifiedAfter(step.clock.told, fact) } } : step;
}

type SlaFact = Extract<RunFact, { type: `sla_${string}` }>;

/** Returns the notification state of a clock after one more notification. */
export function notifiedAfter(before: SlaNotified | undefined, fact: SlaFact): SlaNotified {
  if (fact.type === 'sla_at_risk') return { state: 'at_risk', at: fact.at };
  if (fact.type === 'sla_breached')
    return { state: 'breached', at: fact.at, againAfterMs: fact.againAfterMs, reminders: 0 };
  if (before?.state !== 'breached') throw new Error('A reminder comes after a breach');
  // The interval is counted from the last notification, so that a late check doesn't send several reminders at once.
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
  return slaStateOf({ now: endedAt, endedAt, ...step });
}
