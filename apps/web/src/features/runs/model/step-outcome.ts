import { type Step, branchNamed } from '@stet/domain/steps';
import { durationInWords } from '@stet/presentation/duration-in-words';
import { isolated } from '@stet/domain/workflows';
import type { HistoryEntry, RunStep } from '@stet/contract';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type OutputLine = { label: string; value: string };

function valueText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** A step's output, line by line: its form values, its text, and other values that a script returned. */
export function outputLines({ output, fields }: Pick<RunStep, 'output' | 'fields'>): OutputLine[] {
  const lines: OutputLine[] = [];
  if (!isRecord(output)) lines.push({ label: '', value: valueText(output) });
  else {
    const values = isRecord(output['fields']) ? output['fields'] : {};
    for (const { id, label } of fields) lines.push({ label, value: valueText(values[id]) });
    if (typeof output['text'] === 'string') lines.push({ label: '', value: valueText(output['text']) });
    else if (Object.keys(output).length > 0) lines.push({ label: '', value: valueText(output) });
  }
  return lines.filter(({ value }) => value !== '');
}

/** The lines that the step's last script execution logged. Empty if there are none. */
export function logLines(history: readonly HistoryEntry[], stepId: string): string[] {
  const last = history.findLast((entry) => entry.stepId === stepId && ['completed', 'failed'].includes(entry.action));
  const log = last?.data['log'];
  return Array.isArray(log) ? log.filter((line) => typeof line === 'string') : [];
}

/** How a step that the server executed has ended. Null for steps of people. */
type StepOutcome = { expression: string; words: string };

/** `planned` contains the steps of the run's version. */
export function outcomeOf(step: RunStep, planned: readonly Step[]): StepOutcome | null {
  const { report } = step;
  const plan = planned.find(({ id }) => id === step.id);
  if (report === null) return null;
  switch (report.kind) {
    case 'automated':
      return report.simulated
        ? {
            expression: '',
            words: `Took ${report.reportedMs === null ? 'no time' : durationInWords(report.reportedMs, 'seconds')}`,
          }
        : null;
    case 'condition':
      return {
        expression: plan?.type === 'condition' ? (plan.config.condition ?? '') : '',
        words: `was ${String(report.result)}${wentTo(plan, report.result, planned)}`,
      };
    case 'notification':
      return {
        expression: '',
        words:
          report.undeliverable.length === 0
            ? 'Sent to everyone'
            : `Not reached: ${report.undeliverable.map(isolated).join(', ')}`,
      };
  }
}

function wentTo(plan: Step | undefined, result: boolean, planned: readonly Step[]): string {
  const target = plan?.type === 'condition' ? branchNamed(plan, result) : undefined;
  const title = planned.find(({ id }) => id === target)?.title;
  return title === undefined ? '' : `, continued with ${isolated(title)}`;
}

/** Whether the simulation completed the step, which must never look like done work. */
export const isSimulatedEnd = ({ state, report }: RunStep): boolean =>
  state === 'completed' && report?.kind === 'automated' && report.simulated;
