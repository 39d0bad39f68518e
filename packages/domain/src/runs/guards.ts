import type { Step } from '../workflows/step.ts';
import type { Ledger } from './ledger.ts';
import type { RunRefusal } from './refusals.ts';
import { type ActiveStep, type RunHead, type RunState, stepStateOf } from './state.ts';

/** Why a run takes no step action in its status; null while it is running (rulings, section 6). */
export function refusalByStatus(run: RunHead): RunRefusal | null {
  if (run.status === 'running') return null;
  return run.status === 'paused' ? { code: 'run_paused' } : { code: 'run_finished', status: run.status };
}

type Actable<S extends Step = Step> = { ok: true; step: S; active: ActiveStep } | { ok: false; refusal: RunRefusal };

/** The step, if it can be acted on now: known, active, in a run that is running. */
export function actableStep(ledger: Ledger, state: RunState, stepId: string): Actable {
  const step = ledger.step(stepId);
  const stepState = stepStateOf(state, stepId);
  if (!step || !stepState) return { ok: false, refusal: { code: 'unknown_step', stepId } };
  const byStatus = refusalByStatus(state);
  if (byStatus) return { ok: false, refusal: byStatus };
  if (stepState.state !== 'active') {
    return { ok: false, refusal: { code: 'step_not_active', stepId, state: stepState.state } };
  }
  return { ok: true, step, active: stepState };
}

/**
 * As `actableStep`, for a job's report: of one of the types named and of the present activation. What can never become
 * right is told first, so that a job gives up rather than tries again after a pause.
 */
export function reportableStep<T extends Step['type']>(
  ledger: Ledger,
  state: RunState,
  { stepId, activation }: { stepId: string; activation: number },
  types: readonly T[],
): Actable<Extract<Step, { type: T }>> {
  const step = ledger.step(stepId);
  const stepState = stepStateOf(state, stepId);
  if (!step || !stepState) return { ok: false, refusal: { code: 'unknown_step', stepId } };
  if (!isOneOf(step, types)) return { ok: false, refusal: { code: 'wrong_step_type', stepId, type: step.type } };
  const current = stepState.activation;
  if (activation !== current) return { ok: false, refusal: { code: 'stale_activation', stepId, activation, current } };
  const actable = actableStep(ledger, state, stepId);
  return actable.ok ? { ...actable, step } : actable;
}

function isOneOf<T extends Step['type']>(step: Step, types: readonly T[]): step is Extract<Step, { type: T }> {
  return types.some((type) => type === step.type);
}
