import type { Run, RunStep } from '@stet/contract';

/**
 * The run as it stands at `now`, by the server's clock in milliseconds: a clock that runs goes on between two answers,
 * and a step whose due time has passed is late, the run with it. Clocks stand only in a paused run and one that ended
 * for good.
 */
export function runAt(run: Run, now: number): Run {
  if (run.status !== 'running' && run.status !== 'failed') return run;
  const isLate = ({ state, dueAt }: RunStep) => state === 'active' && dueAt !== null && Date.parse(dueAt) < now;
  const steps = run.steps.map((step): RunStep => (isLate(step) ? { ...step, slaState: 'breached' } : step));
  return {
    ...run,
    steps,
    slaState: steps.some(isLate) ? 'breached' : run.slaState,
    durationMs: run.durationMs + (run.status === 'running' ? Math.max(0, now - run.now) : 0),
  };
}
