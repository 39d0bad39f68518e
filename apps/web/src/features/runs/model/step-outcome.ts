import type { HistoryEntry, Run, RunStep } from '@stet/contract';
import type { StepOutcome } from '../../../step-types/parts.ts';
import { partsOf } from '../../../step-types/registry.ts';

/** The lines that the step's last script execution logged. Empty if there are none. */
export function logLines(history: readonly HistoryEntry[], stepId: string): string[] {
  const last = history.findLast((entry) => entry.stepId === stepId && ['completed', 'failed'].includes(entry.action));
  const log = last?.data['log'];
  return Array.isArray(log) ? log.filter((line) => typeof line === 'string') : [];
}

/**
 * The outcome of a step that the server executed. Null if people complete the step, it has no report yet, or its output
 * already says everything.
 */
export function outcomeOf({ id, report }: RunStep, run: Pick<Run, 'workflow'>): StepOutcome | null {
  const planned = run.workflow.steps.find((step) => step.id === id);
  return report && planned ? (partsOf(report.kind).outcome?.(report, planned, run) ?? null) : null;
}

/** Whether the step was completed by the simulation. It must never look like real work. */
export const isSimulatedEnd = ({ state, report }: RunStep): boolean =>
  state === 'completed' && report !== null && 'simulated' in report && report.simulated;
