import { shiftedByPause } from '../sla/clock.ts';
import type { Deadline } from '../sla/deadline.ts';
import { stepAfter, type StepFact, notifiedAfter } from './apply-step.ts';
import type { RunFact } from './facts.ts';
import type { RunHead, RunState, RunWorkflow, StepState } from './state.ts';

/**
 * Replays facts in order and returns the state that `decide` returned with them. `state` is null before `run_started`.
 * Doesn't modify its arguments, and copies the state once, so it is linear in steps and facts. Throws on a fact before
 * `run_started`, and on facts of a step that are impossible in its state (see `stepAfter`).
 */
export function applyFacts(workflow: RunWorkflow, state: RunState, facts: readonly RunFact[]): RunState;
export function applyFacts(
  workflow: RunWorkflow,
  state: RunState | null,
  facts: readonly [RunFact, ...RunFact[]],
): RunState;
export function applyFacts(workflow: RunWorkflow, state: RunState | null, facts: readonly RunFact[]): RunState {
  let run = state && openRun(state);
  for (const fact of facts) run = applyFact(workflow, run, fact);
  return closeRun(run);
}

/**
 * A mutable run state, used only within one decision or replay. The steps are a map, because an id can be any text,
 * such as `__proto__`.
 */
export type OpenRun = { head: RunHead; steps: Map<string, StepState> };

export function openRun({ steps, ...head }: RunState): OpenRun {
  return { head, steps: new Map(Object.entries(steps)) };
}

/** Returns the plain state of an open run. Throws if the run hasn't started. */
export function closeRun(run: OpenRun | null): RunState {
  if (!run) throw new Error('A run begins with run_started');
  return { steps: Object.fromEntries(run.steps), ...run.head };
}

/** Applies one fact to an open run, and returns the run. */
export function applyFact(workflow: RunWorkflow, run: OpenRun | null, fact: RunFact): OpenRun {
  if (fact.type === 'run_started') {
    const { at, by, targetMs, deadline, restartOf } = fact;
    return {
      head: {
        status: 'running',
        startedAt: at,
        startedBy: by,
        targetMs,
        pausedMs: 0,
        updatedAt: at,
        ...(deadline && { deadline }),
        ...(restartOf && { restartOf }),
      },
      steps: new Map(workflow.steps.map(({ id }) => [id, { state: 'waiting', activation: 0 }])),
    };
  }
  if (!run) throw new Error(`${fact.type} before run_started`);
  if (isStepFact(fact)) run.steps.set(fact.stepId, stepAfter(run.steps.get(fact.stepId), fact));
  if (fact.type === 'run_resumed') {
    standStill(run, fact.pausedMs);
    setDeadlines(run, fact);
  }
  if (fact.type === 'run_cancelled' && run.head.status === 'paused') standStill(run, fact.at - run.head.pausedSince);
  run.head = headAfter(run.head, fact);
  return run;
}

function isStepFact(fact: RunFact): fact is StepFact {
  return 'activation' in fact;
}

function headAfter(head: RunHead, fact: RunFact): RunHead {
  const { startedAt, startedBy, targetMs, pausedMs, deadline, told, restartOf } = head;
  const basics = {
    startedAt,
    startedBy,
    targetMs,
    pausedMs,
    ...(deadline && { deadline }),
    ...(told && { told }),
    ...(restartOf && { restartOf }),
    updatedAt: fact.at,
  };
  switch (fact.type) {
    case 'run_paused':
      return { status: 'paused', pausedSince: fact.at, by: fact.by, reason: fact.reason ?? null, ...basics };
    case 'run_pause_escalated':
      return head.status === 'paused' ? { ...head, escalated: true, updatedAt: fact.at } : head;
    case 'run_resumed':
    case 'step_retried':
      return { status: 'running', ...basics };
    case 'run_completed':
      return { status: 'completed', endedAt: fact.at, ...basics };
    case 'run_failed':
      return { status: 'failed', endedAt: fact.at, stepId: fact.stepId, reason: fact.reason, ...basics };
    case 'run_cancelled':
      return { status: 'cancelled', endedAt: fact.at, by: fact.by, reason: fact.reason, ...basics };
    case 'sla_at_risk':
    case 'sla_breached':
      return { ...head, updatedAt: fact.at, ...(fact.stepId === null && { told: notifiedAfter(told, fact) }) };
    default:
      return { ...head, updatedAt: fact.at };
  }
}

/** Postpones all running clocks by the length of a pause that has ended. */
function standStill(run: OpenRun, pauseMs: number): void {
  const { deadline } = run.head;
  run.head = {
    ...run.head,
    pausedMs: run.head.pausedMs + pauseMs,
    ...(deadline && { deadline: { ...deadline, ...shifted(deadline, pauseMs) } }),
  };
  for (const [id, step] of run.steps) {
    if (step.state !== 'active') continue;
    run.steps.set(id, { ...step, pausedMs: step.pausedMs + pauseMs, ...shifted(step, pauseMs) });
  }
}

function shifted({ dueAt, riskAt }: Deadline, pauseMs: number): Deadline {
  return { dueAt: shiftedByPause(dueAt, pauseMs), ...(riskAt !== undefined && { riskAt: riskAt + pauseMs }) };
}

/** In working hours, a pause postpones each clock differently, so the new due times are part of the fact. */
function setDeadlines(run: OpenRun, { deadline, deadlines }: Extract<RunFact, { type: 'run_resumed' }>): void {
  if (deadline) run.head = { ...run.head, deadline };
  for (const [id, due] of Object.entries(deadlines ?? {})) {
    const step = run.steps.get(id);
    if (step?.state === 'active') run.steps.set(id, { ...step, ...due });
  }
}
