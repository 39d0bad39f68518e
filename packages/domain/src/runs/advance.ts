import { countedSlaMs, deadlineOf } from '../sla/deadline.ts';
import { branchTaken } from '../steps/index.ts';
import { reachableFrom } from '../workflows/graph.ts';
import { isDone, type Return } from './state.ts';
import type { Ledger } from './ledger.ts';

/** Makes a step active, as a new activation, and starts its clock. */
export function activate(ledger: Ledger, stepId: string, returned: Return | null = null): void {
  ledger.record({
    type: 'step_activated',
    stepId,
    activation: (ledger.state(stepId)?.activation ?? 0) + 1,
    ...deadlineOf(ledger.at, countedSlaMs(ledger.step(stepId)?.sla ?? '', ledger.calendar), ledger.calendar),
    returned,
  });
}

/**
 * Continues the run after a step that was just completed or skipped. Once all predecessors of a step are done, the step
 * becomes active if a branch that was taken leads to it. Otherwise it is skipped, and its successors are checked in the
 * same way. The run is completed once no step is active. Visits each edge a bounded number of times.
 */
export function advance(ledger: Ledger, doneId: string): void {
  const { graph } = ledger;
  const queue = [doneId];
  // Done steps whose successors haven't been processed yet.
  const pending = new Set(queue);
  const takenFrom = rememberingTaken(ledger);
  const joins = new Map<string, { missing: number; isTaken: boolean }>();

  for (const id of queue) {
    pending.delete(id);
    for (const target of graph.next(id)) {
      const state = ledger.state(target);
      if (state?.state !== 'waiting') continue;
      let join = joins.get(target);
      if (join) {
        // Every later step in the queue was skipped, so no branch is taken from it and `isTaken` can't change.
        join.missing--;
      } else {
        const decided = graph
          .previous(target)
          .filter((previous) => isDone(ledger.state(previous)) && !pending.has(previous));
        const isTaken = decided.some((previous) => takenFrom(previous).has(target));
        join = { missing: graph.previous(target).length - decided.length, isTaken };
        joins.set(target, join);
      }
      if (join.missing > 0) continue;
      if (join.isTaken) {
        activate(ledger, target);
      } else {
        ledger.record({
          type: 'step_skipped',
          stepId: target,
          activation: state.activation,
          reason: null,
          onward: false,
        });
        queue.push(target);
        pending.add(target);
      }
    }
  }
  for (const state of ledger.states()) if (state.state === 'active') return;
  ledger.record({ type: 'run_completed' });
}

/**
 * Returns the run to these steps: resets them and all their successors, on any branch. Other steps stay as they are. On
 * each path, the first of these steps becomes active, even if no branch had led to it before.
 */
export function returnTo(ledger: Ledger, stepIds: readonly string[], returned: Return): void {
  const undone = reachableFrom(ledger.graph, stepIds);
  for (const id of ledger.graph.ids) {
    const state = ledger.state(id);
    if (!undone.has(id) || !state || state.state === 'waiting') continue;
    ledger.record({ type: 'step_reset', stepId: id, activation: state.activation });
  }
  const after = (id: string) => reachableFrom(ledger.graph, ledger.graph.next(id));
  const later = new Set(stepIds.length > 1 ? stepIds.flatMap((id) => [...after(id)]) : []);
  for (const id of new Set(stepIds)) if (!later.has(id)) activate(ledger, id, returned);
}

/** Returns a function that gives the steps taken after a done step, and computes them once for each step. */
function rememberingTaken(ledger: Ledger): (id: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (id) => {
    const before = known.get(id);
    if (before) return before;
    const taken = new Set(takenFrom(ledger, id));
    known.set(id, taken);
    return taken;
  };
}

function takenFrom(ledger: Ledger, id: string): readonly string[] {
  const step = ledger.step(id);
  const state = ledger.state(id);
  if (!step || !isDone(state)) return [];
  // A condition that a person skipped has no result, so the run continues along all its branches.
  if (state.state === 'skipped') return state.onward ? step.next : [];
  return step.type === 'condition' && state.report?.kind === 'condition'
    ? branchTaken(step, state.report.result)
    : step.next;
}
