import type { Step } from '../steps/index.ts';
import { type ActiveStep, type RunHead, type RunState, stepStateOf } from './state.ts';
import type { Ledger } from './ledger.ts';
import type { RunRefusal } from './refusals.ts';

/** Returns the reason why a run in its current status refuses actions on steps; null while it is running. */
export function refusalByStatus(run: RunHead): RunRefusal | null {
  if (run.status === 'running') return null;
  return run.status === 'paused' ? { code: 'run_paused' } : { code: 'run_finished', status: run.status };
}

type Actable = { ok: true; step: Step; active: ActiveStep } | { ok: false; refusal: RunRefusal };

/** Returns the step if it is known and active and the run is running; otherwise the reason why nobody can act on it. */
export function actableStep(ledger: Ledger, state: RunState, stepId: string): Actable {
  const byStatus = refusalByStatus(state);
  return byStatus && ledger.step(stepId) && stepStateOf(state, stepId)
    ? { ok: false, refusal: byStatus }
    : activeStep(ledger, state, stepId);
}

/** Like `actableStep`, but for a run with any status. */
export function activeStep(ledger: Ledger, state: RunState, stepId: string): Actable {
  const step = ledger.step(stepId);
  const stepState = stepStateOf(state, stepId);
  if (!step || !stepState) return { ok: false, refusal: { code: 'unknown_step', stepId } };
  if (stepState.state !== 'active') {
    return { ok: false, refusal: { code: 'step_not_active', stepId, state: stepState.state } };
  }
  return { ok: true, step, active: stepState };
}

/**
 * Like `actableStep`, but for a job's report: it also checks that the type matches and the activation is current. These
 * reasons come first, because they remain when a pause or a failure of the run ends.
 */
export function reportableStep(
  ledger: Ledger,
  state: RunState,
  { stepId, activation }: { stepId: string; activation: number },
  isOfType: (type: Step['type']) => boolean,
): Actable {
  const step = ledger.step(stepId);
  const stepState = stepStateOf(state, stepId);
  if (!step || !stepState) return { ok: false, refusal: { code: 'unknown_step', stepId } };
  if (!isOfType(step.type)) return { ok: false, refusal: { code: 'wrong_step_type', stepId, type: step.type } };
  const current = stepState.activation;
  if (activation !== current) return { ok: false, refusal: { code: 'stale_activation', stepId, activation, current } };
  return actableStep(ledger, state, stepId);
}
