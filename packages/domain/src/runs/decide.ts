import type { RunCommand } from './commands.ts';
import { watchClocks } from './crossings.ts';
import { type DecidedBy, openLedger, refuse, type RunDecision } from './ledger.ts';
import { approveStep, completeStep, rejectStep, skipStep } from './person-steps.ts';
import { cancelRun, pauseRun, resumeRun, retryStep, startRun } from './run-control.ts';
import type { RunState, RunWorkflow } from './state.ts';
import { decideCondition, failStep, finishAutomated, finishNotification } from './system-steps.ts';

export type { DecidedBy, RunDecision } from './ledger.ts';

/**
 * Decides what a command does to a run (rulings, section 6): the facts that follow, in order, or a refusal. Nothing else
 * advances a run. `state` is null before the start. `at` is epoch milliseconds by the database's clock; where that lies
 * before the run's latest fact, the facts are dated like that one. Whether the actor may act at all is not decided here,
 * except for what the run's own history forbids: a second vote, one's own submission, `separateFrom`, a retry over one's rejection.
 * Linear in steps and edges of the workflow.
 */
export function decide(
  workflow: RunWorkflow,
  state: RunState | null,
  command: RunCommand,
  decidedBy: DecidedBy,
): RunDecision {
  const ledger = openLedger(workflow, state, decidedBy);
  if (command.type === 'start') return state ? refuse({ code: 'already_started' }) : startRun(ledger, command);
  if (!state) return refuse({ code: 'not_started' });
  switch (command.type) {
    case 'complete':
      return completeStep(ledger, state, command);
    case 'skip':
      return skipStep(ledger, state, command);
    case 'approve':
      return approveStep(ledger, state, command);
    case 'reject':
      return rejectStep(ledger, state, command);
    case 'pause':
      return pauseRun(ledger, state, command);
    case 'resume':
      return resumeRun(ledger, state);
    case 'cancel':
      return cancelRun(ledger, state, command);
    case 'retry':
      return retryStep(ledger, state, command);
    case 'finish_automated':
      return finishAutomated(ledger, state, command);
    case 'fail_step':
      return failStep(ledger, state, command);
    case 'decide_condition':
      return decideCondition(ledger, state, command);
    case 'watch_clocks':
      return watchClocks(ledger, state, command);
    case 'finish_notification':
      return finishNotification(ledger, state, command);
  }
}
