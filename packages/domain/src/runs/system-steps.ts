import { advance } from './advance.ts';
import type { SystemCommand } from './commands.ts';
import { reportableStep } from './guards.ts';
import { accept, type Ledger, refuse, type RunDecision } from './ledger.ts';
import { isServerType } from '../steps/index.ts';
import type { RunState } from './state.ts';

type Command<T extends SystemCommand['type']> = Extract<SystemCommand, { type: T }>;

/**
 * Completes a step that the server executed. After a condition, the run continues along the branch of the result. The
 * other branch is skipped, along with the steps reachable only through it.
 */
export function finishStep(ledger: Ledger, state: RunState, command: Command<'finish_step'>): RunDecision {
  const { stepId, activation, report, output, log } = command;
  const found = reportableStep(ledger, state, command, (type) => type === report.kind);
  if (!found.ok) return refuse(found.refusal);
  ledger.record({ type: 'step_completed', stepId, activation, output, notes: null, report, ...logged(log) });
  advance(ledger, stepId);
  return accept(ledger);
}

/** Fails the step, and the run with it, until someone retries the step. */
export function failStep(ledger: Ledger, state: RunState, command: Command<'fail_step'>): RunDecision {
  const found = reportableStep(ledger, state, command, isServerType);
  if (!found.ok) return refuse(found.refusal);
  recordFailure(ledger, command, command.reason, command);
  return accept(ledger);
}

/** Records the two facts of every failure. */
export function recordFailure(
  ledger: Ledger,
  step: { stepId: string; activation: number },
  reason: string,
  { simulated, log }: Pick<Command<'fail_step'>, 'simulated' | 'log'> = {},
): void {
  const { stepId, activation } = step;
  ledger.record({
    type: 'step_failed',
    stepId,
    activation,
    reason,
    ...(simulated && { simulated }),
    ...logged(log),
  });
  ledger.record({ type: 'run_failed', stepId, reason });
}

function logged(log: readonly string[] = []): { log?: readonly string[] } {
  return log.length > 0 ? { log } : {};
}
