import type { Run, RunSummary } from '@stet/contract';
import { columns, shown } from '../client/shown.ts';

/** A run as text: its summary, and its steps with their states, assignees and due times. */
export function runInWords(run: Run): string {
  const facts = [
    ['Run', run.id],
    ['Name', run.name],
    ['Workflow', `${run.workflowTitle} (${run.workflowKey} v${run.workflowVersion})`],
    ['Status', run.status + (run.slaState ? `, ${inWords(run.slaState)}` : '')],
    ['Priority', run.priority],
    ['Started', `${run.createdAt} by ${run.startedBy.name}`],
    ...(run.completedAt ? [['Ended', run.completedAt]] : []),
    ...(run.failure ? [['Failure', run.failure.message]] : []),
  ];
  const steps = run.steps.map(({ id, title, state, assignee, dueAt, slaState }, index) => [
    `${index + 1}`,
    id,
    state,
    oneLine(title),
    assignee,
    dueAt ? `due ${dueAt}${slaState ? `, ${inWords(slaState)}` : ''}` : '',
  ]);
  return shown(`${columns(facts)}\n${columns([['#', 'STEP', 'STATE', 'TITLE', 'ASSIGNEE', 'DUE'], ...steps])}`).replace(
    / +$/gm,
    '',
  );
}

/** A list of runs, one per line. */
export function runsInWords(runs: readonly RunSummary[]): string {
  if (runs.length === 0) return '';
  const rows = runs.map((run) => [
    run.id,
    run.status,
    run.slaState ? inWords(run.slaState) : '',
    `${run.stepsCompleted}/${run.stepsTotal}`,
    run.workflowKey,
    run.createdAt.slice(0, 16),
    oneLine(run.name),
  ]);
  return shown(columns([['RUN', 'STATUS', 'SLA', 'STEPS', 'WORKFLOW', 'STARTED', 'NAME'], ...rows])).replace(
    / +$/gm,
    '',
  );
}

const inWords = (state: string): string => state.replaceAll('_', ' ');
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
