import type { RunSummary } from '@stet/contract';
import { decisionMarkWords } from '@stet/domain/runs';
import { csvLine } from '@stet/presentation/csv';

/** A run in an export, with the same data as in lists. */
export type RunRecord = RunSummary;

const COLUMNS: readonly (readonly [string, (run: RunRecord) => string | number | null])[] = [
  ['Run', ({ id }) => id],
  ['Run Name', ({ name }) => name],
  ['Workflow', ({ workflowTitle }) => workflowTitle],
  ['Workflow Key', ({ workflowKey }) => workflowKey],
  ['Version', ({ workflowVersion }) => workflowVersion],
  ['Priority', ({ priority }) => priority],
  ['Status', ({ status }) => status],
  ['SLA', ({ slaState }) => slaState],
  ['SLA Target (seconds)', ({ sla }) => inSeconds(sla.targetMs)],
  ['Duration (seconds)', ({ durationMs }) => inSeconds(durationMs)],
  ['Steps Completed', ({ stepsCompleted }) => stepsCompleted],
  ['Steps', ({ stepsTotal }) => stepsTotal],
  ['Current Steps', ({ currentStepIds }) => currentStepIds.join(' ')],
  ['Waits For', ({ currentSteps }) => currentSteps.flatMap(({ waitsFor }) => waitsFor).join(' ')],
  ['Due At', ({ dueAt }) => dueAt],
  ['Started By', ({ startedBy }) => startedBy.name],
  ['Started At', ({ createdAt }) => createdAt],
  ['Ended At', ({ completedAt }) => completedAt],
  ['Simulated Steps', ({ simulatedSteps }) => simulatedSteps],
  ['Marked Decisions', ({ marks }) => marks && decisionMarkWords(marks)],
];

const inSeconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 1000));

export const csvHead = (): string => csvLine(COLUMNS.map(([title]) => title));
export const csvRow = (run: RunRecord): string => csvLine(COLUMNS.map(([, of]) => String(of(run) ?? '')));
