import type { Run, RunStep } from '@stet/contract';

/**
 * The run at `now`, the server's time in milliseconds. Advances running clocks between two responses. A step past its
 * due time is breached, and so is its run. Clocks stop only while the run is paused and when it ends.
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
