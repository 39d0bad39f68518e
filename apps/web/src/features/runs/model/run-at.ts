import type { Run, RunStep } from '@stet/contract';

/**
 * The run at `now`, by the server's clock in milliseconds: running clocks are advanced between two responses, and a
 * step past its due time is late, as is its run. Clocks stop only in a paused run and permanently at the end.
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
