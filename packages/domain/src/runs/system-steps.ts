import { advance } from './advance.ts';
import type { SystemCommand } from './commands.ts';
import { reportableStep } from './guards.ts';
import { accept, type Ledger, refuse, type RunDecision } from './ledger.ts';
import type { Json, RunState, StepReport } from './state.ts';

type Command<T extends SystemCommand['type']> = Extract<SystemCommand, { type: T }>;

export function finishAutomated(ledger: Ledger, state: RunState, command: Command<'finish_automated'>): RunDecision {
  const found = reportableStep(ledger, state, command, ['automated']);
  if (!found.ok) return refuse(found.refusal);
  const { output, reportedMs = null, simulated = false, log } = command;
  return finish(ledger, command, output, { kind: 'automated', simulated, reportedMs }, log);
}

/** The run goes on along the branch of the result; the other one is skipped, with what only it leads to. */
export function decideCondition(ledger: Ledger, state: RunState, command: Command<'decide_condition'>): RunDecision {
  const found = reportableStep(ledger, state, command, ['condition']);
  if (!found.ok) return refuse(found.refusal);
  const { result } = command;
  return finish(ledger, command, { result }, { kind: 'condition', result });
}

export function finishNotification(
  ledger: Ledger,
  state: RunState,
  command: Command<'finish_notification'>,
): RunDecision {
  const found = reportableStep(ledger, state, command, ['notification']);
  if (!found.ok) return refuse(found.refusal);
  return finish(ledger, command, null, { kind: 'notification', undeliverable: command.undeliverable });
}

/** The step has failed, and the run with it, until someone retries the step. */
export function failStep(ledger: Ledger, state: RunState, command: Command<'fail_step'>): RunDecision {
  const found = reportableStep(ledger, state, command, ['automated', 'condition', 'notification']);
  if (!found.ok) return refuse(found.refusal);
  recordFailure(ledger, command, command.reason, command);
  return accept(ledger);
}

/** The two facts of every failure. */
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

function finish(
  ledger: Ledger,
  step: { stepId: string; activation: number },
  output: Json,
  report: StepReport,
  log?: readonly string[],
): RunDecision {
  const { stepId, activation } = step;
  ledger.record({ type: 'step_completed', stepId, activation, output, notes: null, report, ...logged(log) });
  advance(ledger, stepId);
  return accept(ledger);
}

function logged(log: readonly string[] = []): { log?: readonly string[] } {
  return log.length > 0 ? { log } : {};
}
