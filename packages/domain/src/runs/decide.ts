import type { RunCommand } from './commands.ts';
import { watchClocks } from './crossings.ts';
import { type DecidedBy, openLedger, refuse, type RunDecision } from './ledger.ts';
import { approveStep, completeStep, rejectStep, skipStep } from './person-steps.ts';
import { claimStep, handOverStep, releaseStep } from './claims.ts';
import { actorOn } from './hand-over.ts';
import { cancelRun, pauseRun, resumeRun, retryStep, setPriority, startRun } from './run-control.ts';
import { type RunActor, type RunState, type RunWorkflow, stepStateOf } from './state.ts';
import { failStep, finishStep } from './system-steps.ts';

export type { DecidedBy, RunDecision } from './ledger.ts';

/**
 * Decides on a command for a run (decision 98): returns the resulting facts in order and the new state, or a refusal.
 * Only this function advances a run. `state` is null before the start. `at` is epoch milliseconds by the database's
 * clock; if it is before the run's latest fact, the new facts get that fact's time. The caller checks whether the actor
 * may act at all. Of the rules about people, this function checks only those about the run's own history: a second
 * vote, the actor's own submission, claims and hand-overs, `separateFrom`, a retry after a rejection of the actor's own
 * work and, under strict review, the marks of a decision. Linear in steps and edges, except that a return to several
 * steps follows the edges once from each of them.
 */
export function decide(
  workflow: RunWorkflow,
  state: RunState | null,
  command: RunCommand,
  decidedBy: DecidedBy,
): RunDecision {
  const ledger = openLedger(workflow, state, { ...decidedBy, actor: actorIn(state, command, decidedBy) });
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
    case 'claim':
      return claimStep(ledger, state, command);
    case 'release':
      return releaseStep(ledger, state, command);
    case 'hand_over':
      return handOverStep(ledger, state, command);
    case 'pause':
      return pauseRun(ledger, state, command);
    case 'resume':
      return resumeRun(ledger, state);
    case 'cancel':
      return cancelRun(ledger, state, command);
    case 'set_priority':
      return setPriority(ledger, state, command);
    case 'retry':
      return retryStep(ledger, state, command);
    case 'finish_step':
      return finishStep(ledger, state, command);
    case 'fail_step':
      return failStep(ledger, state, command);
    case 'watch_clocks':
      return watchClocks(ledger, state, command);
  }
}

/** A decision on an approval that was handed over to the actor also counts as that of the people who handed it over. */
const actorIn = (state: RunState | null, command: RunCommand, { actor, proofs }: DecidedBy): RunActor =>
  state && DECIDES.has(command.type) && 'stepId' in command
    ? actorOn(stepStateOf(state, command.stepId), actor, proofs)
    : actor;

const DECIDES: ReadonlySet<RunCommand['type']> = new Set<RunCommand['type']>(['complete', 'approve', 'reject', 'skip']);
