import { type Clock, type SlaState, slaStateOf, usedShare } from '../sla/clock.ts';
import { runSlaState } from '../sla/run-sla.ts';
import { type ServerStepType, isServerType } from '../steps/index.ts';
import {
  clocksEndOf,
  endOf,
  type Json,
  type RunHead,
  type RunState,
  type RunWorkflow,
  type StepState,
  stepStateOf,
} from './state.ts';
import { currentStepIds } from './display.ts';

/** Returns how long a run took, or has taken until `now`, in milliseconds, excluding pauses. */
export function durationMs(run: RunHead, now: number): number {
  const at = run.status === 'paused' ? run.pausedSince : (endOf(run) ?? now);
  return Math.max(0, at - run.startedAt - run.pausedMs);
}

/** Returns the SLA state of a run at `now`; null if nothing has an SLA. */
export function slaStateOfRun(state: RunState, now: number): SlaState | null {
  const steps = Object.values(state.steps);
  return runSlaState({
    startedAt: state.startedAt,
    targetMs: state.targetMs,
    pausedMs: state.pausedMs,
    deadline: state.deadline,
    now,
    endedAt: clocksEndOf(state),
    pausedSince: state.status === 'paused' ? state.pausedSince : null,
    active: steps.filter((step) => step.state === 'active'),
    verdicts: steps.map((step) => ('slaVerdict' in step ? step.slaVerdict : null)),
  });
}

/**
 * Returns the SLA state at `now` of each active or finished step that has an SLA, in row order (specification, section
 * 3).
 */
export function slaStatus(workflow: RunWorkflow, state: RunState, now: number): { stepId: string; state: SlaState }[] {
  return workflow.steps.flatMap(({ id }) => {
    const step = stepStateOf(state, id);
    const sla = step && slaStateOfStep(step, clockTime(state, now));
    return sla ? [{ stepId: id, state: sla }] : [];
  });
}

function slaStateOfStep(step: StepState, now: number): SlaState | null {
  if (step.state === 'active') return slaStateOf({ now, ...step });
  return step.state === 'waiting' ? null : step.slaVerdict;
}

/**
 * Returns a completed step's elapsed time as a share of its SLA, where 1 is exactly on target; null for any other step,
 * and without an SLA.
 */
export function usedShareOf(step: StepState | undefined): number | null {
  return step?.state === 'completed' ? (step.usedShare ?? usedShare(step, step.completedAt)) : null;
}

/**
 * Returns the elapsed time of each completed step as a share of its SLA, in the order of completion; 1 is exactly on
 * target. Steps without an SLA are omitted.
 */
export function trendOf(workflow: RunWorkflow, state: RunState): number[] {
  return workflow.steps
    .map(({ id }) => stepStateOf(state, id))
    .filter((step) => step?.state === 'completed')
    .toSorted((one, other) => one.completedAt - other.completedAt)
    .flatMap((step) => usedShareOf(step) ?? []);
}

/**
 * Returns the earliest due time of the active steps of a running run, in epoch milliseconds; null if no clock is
 * running.
 */
export function nextDueAt(workflow: RunWorkflow, state: RunState): number | null {
  if (state.status !== 'running') return null;
  const due = activeClocks(workflow, state).flatMap((clock) => clock.dueAt ?? []);
  return due.length === 0 ? null : due.reduce((one, other) => Math.min(one, other));
}

function activeClocks(workflow: RunWorkflow, state: RunState): Clock[] {
  return currentStepIds(workflow, state)
    .map((id) => stepStateOf(state, id))
    .filter((step) => step?.state === 'active');
}

/** Returns the outputs so far by step id, for scripts, conditions and templates. */
export function outputsOf(state: RunState): { [stepId: string]: Json } {
  const completed = Object.entries(state.steps).flatMap(([id, step]) =>
    step.state === 'completed' ? [[id, step.output] as const] : [],
  );
  return Object.fromEntries(completed);
}

export type PendingSystemStep = { stepId: string; activation: number; type: ServerStepType };

/** Returns the active steps that wait for a job of the server; empty unless the run is running. */
export function pendingSystemSteps(workflow: RunWorkflow, state: RunState): PendingSystemStep[] {
  if (state.status !== 'running') return [];
  return workflow.steps.flatMap(({ id, type }) => {
    const step = stepStateOf(state, id);
    if (step?.state !== 'active' || !isServerType(type)) return [];
    return [{ stepId: id, activation: step.activation, type }];
  });
}

/** Returns the error message of a failed run (specification, section 4), or null for any other run. */
export function failureMessage(run: RunHead): string | null {
  return run.status === 'failed' ? `Step failed: ${run.reason}` : null;
}

/** Returns the time at which to read the run's clocks: `now`, or when they stopped. */
function clockTime(run: RunHead, now: number): number {
  return run.status === 'paused' ? run.pausedSince : (clocksEndOf(run) ?? now);
}
