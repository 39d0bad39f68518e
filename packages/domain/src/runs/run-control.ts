import { deadlineOf, resumedDeadline } from '../sla/deadline.ts';
import { targetMs } from '../sla/run-sla.ts';
import { graphOfVersion } from '../workflows/graph.ts';
import { activate, returnTo } from './advance.ts';
import { stepsToRedo } from './decision-marks.ts';
import type { PersonCommand } from './commands.ts';
import { refusalByStatus } from './guards.ts';
import { accept, type Ledger, refuse, type RunDecision } from './ledger.ts';
import { rejectedBy } from './people.ts';
import { marksOf } from './person-steps.ts';
import { endOf, peopleBehind, type Rejection, type RunState, type RunWorkflow, stepStateOf } from './state.ts';

type Command<T extends PersonCommand['type']> = Extract<PersonCommand, { type: T }>;

/** Starts a run: all steps that have no predecessor become active. */
export function startRun(ledger: Ledger, { restartOf }: Command<'start'>): RunDecision {
  const { roots } = ledger.graph;
  if (roots.length === 0) return refuse({ code: 'no_steps' });
  const target = targetMs(ledger.workflow.steps, ledger.calendar);
  ledger.record({
    type: 'run_started',
    targetMs: target,
    ...(ledger.calendar && { deadline: deadlineOf(ledger.at, target, ledger.calendar) }),
    ...(restartOf && { restartOf }),
  });
  for (const root of roots) activate(ledger, root);
  return accept(ledger);
}

export function pauseRun(ledger: Ledger, state: RunState, command: Command<'pause'>): RunDecision {
  const refusal = refusalByStatus(state);
  if (refusal) return refuse(refusal);
  ledger.record({ type: 'run_paused', reason: command.reason?.trim() || null });
  return accept(ledger);
}

/** Ends a pause. Due times move by the length of the pause or, in working hours, by the working time in it. */
export function resumeRun(ledger: Ledger, state: RunState): RunDecision {
  if (state.status !== 'paused') return refuse(refusalByStatus(state) ?? { code: 'run_not_paused' });
  const pause = { pausedSince: state.pausedSince, at: ledger.at };
  const steps = Object.entries(state.steps).flatMap(([id, step]) =>
    step.state === 'active' && step.riskAt !== undefined
      ? [[id, resumedDeadline({ dueAt: step.dueAt, riskAt: step.riskAt }, pause, ledger.calendar)] as const]
      : [],
  );
  ledger.record({
    type: 'run_resumed',
    pausedMs: ledger.at - state.pausedSince,
    ...(state.deadline && { deadline: resumedDeadline(state.deadline, pause, ledger.calendar) }),
    ...(steps.length > 0 && { deadlines: Object.fromEntries(steps) }),
  });
  return accept(ledger);
}

/** Ends a running or paused run; needs a reason. Active steps stay active. */
export function cancelRun(ledger: Ledger, state: RunState, command: Command<'cancel'>): RunDecision {
  const refusal = endOf(state) === null ? null : refusalByStatus(state);
  if (refusal) return refuse(refusal);
  const reason = command.reason.trim();
  if (reason === '') return refuse({ code: 'reason_required' });
  ledger.record({ type: 'run_cancelled', reason });
  return accept(ledger);
}

/** Changes the priority of a run that isn't completed or cancelled. */
export function setPriority(ledger: Ledger, state: RunState, command: Command<'set_priority'>): RunDecision {
  const { from, to, reason } = command;
  const refusal = state.status === 'paused' ? null : refusalByStatus(state);
  if (refusal && state.status !== 'failed') return refuse(refusal);
  if (from === to) return refuse({ code: 'priority_unchanged' });
  ledger.record({ type: 'run_priority_changed', from, to, reason: reason?.trim() || null });
  return accept(ledger);
}

/**
 * Makes the failed step of a failed run active again, and the run running. If there are `stepsToRedo`, the run returns
 * to them instead. Steps that were active in parallel continue, unless they follow a step to redo. The time in between
 * was not a pause, so their clocks continued. After a rejection, the rejected people may retry only if nobody else can.
 */
export function retryStep(
  ledger: Ledger,
  state: RunState,
  { stepId, othersCan = true }: Command<'retry'>,
): RunDecision {
  const step = stepStateOf(state, stepId);
  if (!step) return refuse({ code: 'unknown_step', stepId });
  const refusal = state.status === 'failed' ? null : refusalByStatus(state);
  if (refusal) return refuse(refusal);
  if (step.state !== 'failed') return refuse({ code: 'step_not_failed', stepId, state: step.state });
  const retry = { type: 'step_retried', stepId, activation: step.activation } as const;
  const rejected = rejectedPeople(ledger.workflow, state, stepId);
  const isRejected = rejected !== null && peopleBehind(ledger.by).some((id) => rejected.includes(id));
  if (isRejected && othersCan) return refuse({ code: 'rejected_cannot_retry', stepId });
  const ofStep = ledger.step(stepId);
  const marked = ofStep && marksOf(ledger, state, ofStep, 'retry');
  ledger.record({ ...retry, ...(rejected && { retriedAlone: isRejected }), ...(marked?.ok && marked.marks) });
  const rejection: Rejection = ('rejected' in step && step.rejected) || {
    by: null,
    at: step.failedAt,
    comments: step.reason,
  };
  const { by, at, comments } = rejection;
  const redo = ofStep ? stepsToRedo(ledger, state, ofStep, rejection) : [];
  if (redo.length > 0) returnTo(ledger, redo, { by: by ?? ledger.by, at, comments });
  else activate(ledger, stepId);
  return accept(ledger);
}

/** Returns the ids of the people whose work was rejected at a failed step; null if it failed for another reason. */
export function rejectedPeople(workflow: RunWorkflow, state: RunState, stepId: string): string[] | null {
  const type = workflow.steps.find(({ id }) => id === stepId)?.type;
  // An approval step can only fail through a rejection.
  if (type !== 'approval' || stepStateOf(state, stepId)?.state !== 'failed') return null;
  return [...new Set(rejectedBy(graphOfVersion(workflow.steps), state, stepId).flatMap(peopleBehind))];
}
