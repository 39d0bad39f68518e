import type { AddedMark } from '../access/performers.ts';
import type { ActsFor } from '../access/step-access.ts';
import type { WorkCalendar } from '../sla/calendar.ts';
import { workedShareOf } from '../sla/deadline.ts';
import type { Step } from '../steps/index.ts';
import { graphOfVersion, type StepGraph } from '../workflows/graph.ts';
import type { ProofsNow, RunActor, RunState, RunWorkflow, StepState } from './state.ts';
import { closeRun, applyFact, type OpenRun, openRun } from './apply.ts';
import type { RunFact } from './facts.ts';
import type { RunRefusal } from './refusals.ts';

/** The result of `decide`: the facts and the new state, or a refusal. */
export type RunDecision = { ok: true; facts: RunFact[]; state: RunState } | { ok: false; refusal: RunRefusal };

type Undated<F> = F extends RunFact ? Omit<F, 'at' | 'by'> : never;

/** Collects the facts of one decision. Later parts of the decision already see the earlier facts. */
export type Ledger = {
  readonly workflow: RunWorkflow;
  readonly graph: StepGraph;
  /** The calendar for SLAs; null for elapsed time. */
  readonly calendar: WorkCalendar | null;
  readonly at: number;
  /** The actor as it is recorded. */
  readonly by: RunActor;
  /** The actor with the former addresses, by which steps can name them. */
  readonly actor: RunActor;
  /** To be spread into the facts of a person's action on a step. */
  readonly acting: { actsFor?: ActsFor };
  /** True under strict review: an approval or a skip with a mark doesn't count. */
  readonly isStrict: boolean;
  readonly proofs: ProofsNow;
  /** See `DecidedBy`. */
  readonly added: Added | null;
  readonly facts: RunFact[];
  step(id: string): Step | undefined;
  state(id: string): StepState | undefined;
  states(): Iterable<StepState>;
  record(fact: Undated<RunFact>): void;
  /** Returns the state after all recorded facts; throws if the run has not started. */
  stateAfter(): RunState;
};

/**
 * The time, the actor and the calendar for SLAs: working hours, or elapsed time if it is null or absent. `actsFor` is
 * absent or null if the step names the actor or nobody.
 */
export type DecidedBy = {
  at: number;
  actor: RunActor;
  calendar?: WorkCalendar | null;
  actsFor?: ActsFor | null;
  isStrict?: boolean;
  /**
   * The current proofs of accounts whose own addresses weren't proved when they acted; if absent, their proofs are
   * unchanged.
   */
  proofs?: ProofsNow;
  /** Set if the actor decides only through a marked membership or role. The fact then says who gave it to them. */
  added?: Added | null;
};

/** The mark of someone's membership in a group or role, and the name of the person who added them or gave it. */
export type Added = { mark: AddedMark; by: string };

export function openLedger(
  workflow: RunWorkflow,
  state: RunState | null,
  { at, actor, calendar = null, actsFor, isStrict = false, proofs = new Map(), added = null }: DecidedBy,
): Ledger {
  const { formerEmails: _, ...by } = actor;
  const stepById = new Map(workflow.steps.map((step) => [step.id, step]));
  let run: OpenRun | null = state && openRun(state);
  const facts: RunFact[] = [];
  // The database's clock can go back, for example after a failover. A fact dated slightly late is better than a history
  // that runs backwards.
  const date = Math.max(at, state?.updatedAt ?? at);
  return {
    workflow,
    graph: graphOfVersion(workflow.steps),
    calendar,
    at: date,
    by,
    actor,
    acting: actsFor ? { actsFor } : {},
    isStrict,
    proofs,
    added,
    facts,
    step: (id) => stepById.get(id),
    state: (id) => run?.steps.get(id),
    states: () => run?.steps.values() ?? [],
    record(undated) {
      const fact: RunFact = { at: date, by, ...withShare(undated, run, calendar, date) };
      facts.push(fact);
      run = applyFact(workflow, run, fact);
    },
    stateAfter: () => closeRun(run),
  };
}

/**
 * Adds the share of the SLA that a step used to the fact that completes it, because today's working hours won't be
 * known later.
 */
function withShare(
  fact: Undated<RunFact>,
  run: OpenRun | null,
  calendar: WorkCalendar | null,
  at: number,
): Undated<RunFact> {
  if (fact.type !== 'step_completed' || !calendar) return fact;
  const step = run?.steps.get(fact.stepId);
  if (step?.state !== 'active' || step.riskAt === undefined) return fact;
  const usedShare = workedShareOf(step, at, calendar);
  return usedShare === null ? fact : { ...fact, usedShare: Math.round(usedShare * 1e6) / 1e6 };
}

export function refuse(refusal: RunRefusal): RunDecision {
  return { ok: false, refusal };
}

export function accept(ledger: Ledger): RunDecision {
  return { ok: true, facts: ledger.facts, state: ledger.stateAfter() };
}
