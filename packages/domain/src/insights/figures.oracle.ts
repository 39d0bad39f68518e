import { applyFacts } from '../runs/apply.ts';
import type { RunFact } from '../runs/facts.ts';
import { slaStateOfRun } from '../runs/view.ts';
import type { Step } from '../steps/index.ts';

const MINUTE = 60_000;

/** Facts of a step that don't begin the work on it. */
const NOT_WORK: readonly string[] = ['step_retried', 'step_released', 'step_handed_over'];

/** Test support: the figures of one run, in minutes. */
export type OracleRun = {
  status: string;
  minutes: { calendar: number; working: number; waiting: number; handling: number } | null;
  kept: boolean | null;
  steps: Record<
    string,
    { visits: number; completed: number; minutes: number[]; waiting: number[]; kept: number; timed: number }
  >;
};

/**
 * Test support: computes the figures of a run a second time, by looking at each minute of the run and at the state that
 * the run was saved with. All facts happen at whole minutes. `isWorking` says whether a minute is in working hours.
 */
export function oracleOf(steps: Step[], facts: readonly RunFact[], isWorking: (at: number) => boolean): OracleRun {
  const state = applyFacts({ steps }, null, facts as [RunFact, ...RunFact[]]);
  const start = facts[0]?.at ?? 0;
  const last = facts.findLast(({ type }) => ['run_completed', 'run_failed', 'run_cancelled'].includes(type));
  const end = state.status === 'running' || state.status === 'paused' ? null : (last?.at ?? null);
  const minutes = { calendar: 0, working: 0, waiting: 0, handling: 0 };
  const perStep: OracleRun['steps'] = {};
  // One entry for each time a step was active: when it began, was first touched and ended, as positions in minutes.
  const spells: { id: string; from: number; touched: number; to: number; isDone: boolean; inTime: boolean | null }[] =
    [];
  for (const [at, fact] of facts.entries()) {
    if (fact.type !== 'step_activated') continue;
    const { stepId, activation } = fact;
    const later = facts
      .slice(at + 1)
      .filter((each) => 'activation' in each && each.stepId === stepId && each.activation === activation);
    const over = later.find(({ type }) =>
      ['step_completed', 'step_failed', 'step_skipped', 'step_reset'].includes(type),
    );
    const isServers = ['automated', 'condition', 'notification'].includes(
      steps.find(({ id }) => id === stepId)?.type ?? '',
    );
    const first = later.find(({ type }) => !type.startsWith('sla_') && !NOT_WORK.includes(type));
    const to = over?.at ?? Infinity;
    const before = over && applyFacts({ steps }, null, facts.slice(0, facts.indexOf(over)) as [RunFact, ...RunFact[]]);
    const clock = before?.steps[stepId];
    const due = clock?.state === 'active' ? clock.dueAt : null;
    const isReset = over?.type === 'step_reset';
    spells.push({
      id: stepId,
      from: fact.at,
      touched: isServers ? fact.at : isReset && first === over ? Infinity : (first?.at ?? Infinity),
      to,
      isDone: over?.type === 'step_completed',
      inTime: over === undefined || isReset || due === null ? null : to <= due,
    });
  }
  const pausedAt = (minute: number): boolean => {
    const last = facts.findLast(
      ({ type, at }) => at <= minute && ['run_paused', 'run_resumed', 'run_cancelled'].includes(type),
    );
    return last?.type === 'run_paused';
  };
  const until = end ?? facts.at(-1)?.at ?? start;
  const inSteps = spells.map(() => ({ total: 0, waiting: 0 }));
  for (let minute = start; minute < until; minute += MINUTE) {
    if (pausedAt(minute)) continue;
    minutes.calendar += 1;
    if (isWorking(minute)) minutes.working += 1;
    if (spells.some(({ touched, to }) => touched <= minute && minute < to)) minutes.handling += 1;
    else minutes.waiting += 1;
    for (const [n, { from, touched, to }] of spells.entries()) {
      const own = inSteps[n];
      if (!own || minute < from || minute >= to) continue;
      own.total += 1;
      if (minute < touched) own.waiting += 1;
    }
  }
  for (const [n, { id, isDone, inTime }] of spells.entries()) {
    const step = (perStep[id] ??= { visits: 0, completed: 0, minutes: [], waiting: [], kept: 0, timed: 0 });
    step.visits += 1;
    if (isDone) {
      step.completed += 1;
      step.minutes.push(inSteps[n]?.total ?? 0);
      step.waiting.push(inSteps[n]?.waiting ?? 0);
    }
    if (inTime !== null) step.timed += 1;
    if (inTime) step.kept += 1;
  }
  const sla = slaStateOfRun(state, until);
  return {
    status: state.status,
    minutes: state.status === 'completed' ? minutes : null,
    kept: state.status === 'completed' && sla !== null ? sla !== 'breached' : null,
    steps: perStep,
  };
}
