import { deadlineOf, resumedDeadline } from '../sla/deadline.ts';
import { targetMs } from '../sla/run-sla.ts';
import { activate } from './advance.ts';
import type { PersonCommand } from './commands.ts';
import { refusalByStatus } from './guards.ts';
import { accept, type Ledger, refuse, type RunDecision } from './ledger.ts';
import { endOf, type RunState, stepStateOf } from './state.ts';

type Command<T extends PersonCommand['type']> = Extract<PersonCommand, { type: T }>;

/** All steps that have no predecessor become active. */
export function startRun(ledger: Ledger): RunDecision {
  const { roots } = ledger.graph;
  if (roots.length === 0) return refuse({ code: 'no_steps' });
  const target = targetMs(ledger.workflow.steps, ledger.calendar);
  ledger.record({
    type: 'run_started',
    targetMs: target,
    ...(ledger.calendar && { deadline: deadlineOf(ledger.at, target, ledger.calendar) }),
  });
  for (const root of roots) activate(ledger, root);
  return accept(ledger);
}

export function pauseRun(ledger: Ledger, state: RunState): RunDecision {
  const refusal = refusalByStatus(state);
  if (refusal) return refuse(refusal);
  ledger.record({ type: 'run_paused' });
  return accept(ledger);
}

/** Due times move on by as long as the pause was; in working hours, by what of it was worked. */
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

/** Ends a run that is running or paused; needs a reason. What was active stays as it stood. */
export function cancelRun(ledger: Ledger, state: RunState, command: Command<'cancel'>): RunDecision {
  const refusal = endOf(state) === null ? null : refusalByStatus(state);
  if (refusal) return refuse(refusal);
  const reason = command.reason.trim();
  if (reason === '') return refuse({ code: 'reason_required' });
  ledger.record({ type: 'run_cancelled', reason });
  return accept(ledger);
}

/**
 * Makes the failed step of a failed run active again; the run is running. Steps that were active beside it go on; the
 * time between was not a pause, so their clocks ran on.
 */
export function retryStep(ledger: Ledger, state: RunState, { stepId }: Command<'retry'>): RunDecision {
  const step = stepStateOf(state, stepId);
  if (!step) return refuse({ code: 'unknown_step', stepId });
  const refusal = state.status === 'failed' ? null : refusalByStatus(state);
  if (refusal) return refuse(refusal);
  if (step.state !== 'failed') return refuse({ code: 'step_not_failed', stepId, state: step.state });
  ledger.record({ type: 'step_retried', stepId, activation: step.activation });
  activate(ledger, stepId);
  return accept(ledger);
}
