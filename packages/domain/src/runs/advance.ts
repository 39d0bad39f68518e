import { countedSlaMs, deadlineOf } from '../sla/deadline.ts';
import { branchTaken, reachableFrom } from '../workflows/graph.ts';
import type { Ledger } from './ledger.ts';
import { isSettled, type Return } from './state.ts';

/** Makes a step active, as a new activation; its clock starts (rulings, section 7). */
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
 * Carries on behind a step that was just completed or skipped (rulings, section 6). A step whose predecessors are all
 * settled becomes active if a branch that was taken led to it; otherwise it is skipped, and what lies behind it is looked
 * at in turn. The run is completed when nothing is active any more. Looks at each edge a fixed number of times.
 */
export function advance(ledger: Ledger, settledId: string): void {
  const { graph } = ledger;
  const queue = [settledId];
  // Settled, but what it leads to has not been told yet.
  const untold = new Set(queue);
  const takenFrom = rememberingTaken(ledger);
  const joins = new Map<string, { missing: number; isTaken: boolean }>();

  for (const id of queue) {
    untold.delete(id);
    for (const target of graph.next(id)) {
      const state = ledger.state(target);
      if (state?.state !== 'waiting') continue;
      let join = joins.get(target);
      if (join) {
        // Only the first in the queue can lead anywhere: the others are here because they were skipped.
        join.missing--;
      } else {
        const told = graph
          .previous(target)
          .filter((previous) => isSettled(ledger.state(previous)) && !untold.has(previous));
        const isTaken = told.some((previous) => takenFrom(previous).has(target));
        join = { missing: graph.previous(target).length - told.length, isTaken };
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
        untold.add(target);
      }
    }
  }
  for (const state of ledger.states()) if (state.state === 'active') return;
  ledger.record({ type: 'run_completed' });
}

/**
 * Takes the run back to a step: that step and everything that lies behind it is undone, whatever branch it is on;
 * steps that don't lie behind it stay as they are. The step becomes active, also where no branch had led to it: that is
 * what the rejection says.
 */
export function returnTo(ledger: Ledger, stepId: string, returned: Return): void {
  const undone = reachableFrom(ledger.graph, [stepId]);
  for (const id of ledger.graph.ids) {
    const state = ledger.state(id);
    if (!undone.has(id) || !state || state.state === 'waiting') continue;
    ledger.record({ type: 'step_reset', stepId: id, activation: state.activation });
  }
  activate(ledger, stepId, returned);
}

/** The steps that the run goes on to from a settled step, each worked out once. */
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
  if (!step || !isSettled(state)) return [];
  // A decision that a person skipped was not made: no branch is given up, the run goes on along all of them.
  if (state.state === 'skipped') return state.onward ? step.next : [];
  return step.type === 'condition' && state.report?.kind === 'condition'
    ? branchTaken(step, state.report.result)
    : step.next;
}
