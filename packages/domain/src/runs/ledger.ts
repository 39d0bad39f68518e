import type { ActsFor } from '../access/step-access.ts';
import type { WorkCalendar } from '../sla/calendar.ts';
import { workedShareOf } from '../sla/deadline.ts';
import { graphOf, type StepGraph } from '../workflows/graph.ts';
import type { Step } from '../workflows/step.ts';
import { enact, type OpenRun, openRun } from './apply.ts';
import type { RunFact } from './facts.ts';
import type { RunRefusal } from './refusals.ts';
import type { RunActor, RunState, RunWorkflow, StepState } from './state.ts';

/** What `decide` answers: what has happened by the command, or why nothing has. */
export type RunDecision = { ok: true; facts: RunFact[] } | { ok: false; refusal: RunRefusal };

type Undated<F> = F extends RunFact ? Omit<F, 'at' | 'by'> : never;

/** Where one decision writes its facts, each seen by what is decided after it. */
export type Ledger = {
  readonly workflow: RunWorkflow;
  readonly graph: StepGraph;
  /** What SLAs are counted in; null for the clock on the wall. */
  readonly calendar: WorkCalendar | null;
  readonly at: number;
  readonly by: RunActor;
  /** To be spread into the facts of what a person does to a step. */
  readonly acting: { actsFor?: ActsFor };
  readonly facts: RunFact[];
  step(id: string): Step | undefined;
  state(id: string): StepState | undefined;
  states(): Iterable<StepState>;
  record(fact: Undated<RunFact>): void;
};

/**
 * When, by whom, and what SLAs are counted in: working hours, or, where that is null or absent, the clock on the wall.
 * `actsFor` is absent or null if the step names the actor.
 */
export type DecidedBy = { at: number; actor: RunActor; calendar?: WorkCalendar | null; actsFor?: ActsFor | null };

export function openLedger(
  workflow: RunWorkflow,
  state: RunState | null,
  { at, actor: by, calendar = null, actsFor }: DecidedBy,
): Ledger {
  const stepById = new Map(workflow.steps.map((step) => [step.id, step]));
  let run: OpenRun | null = state && openRun(state);
  const facts: RunFact[] = [];
  // Clocks of two servers differ a little; a history that runs backwards would be worse than a fact dated a little late.
  const date = Math.max(at, state?.updatedAt ?? at);
  return {
    workflow,
    graph: graphOf(workflow.steps),
    calendar,
    at: date,
    by,
    acting: actsFor ? { actsFor } : {},
    facts,
    step: (id) => stepById.get(id),
    state: (id) => run?.steps.get(id),
    states: () => run?.steps.values() ?? [],
    record(undated) {
      const fact: RunFact = { ...withShare(undated, run, calendar, date), at: date, by };
      facts.push(fact);
      run = enact(workflow, run, fact);
    },
  };
}

/** What a step used of its SLA is counted when it ends: later on nobody knows the working hours of then. */
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
  return { ok: true, facts: ledger.facts };
}
