import { exactDuration } from '@stet/presentation/duration-in-words';
import { durationMs, endOf, failureMessage, progressOf, slaStateOfRun } from '@stet/domain/runs';
import type { Block, Pdf } from '../../../kernel/pdf.ts';
import type { TrailRun } from '../trail.ts';
import { writeHistory } from './history-part.ts';
import { writeReview } from './review-part.ts';
import { writeSteps } from './steps-part.ts';
import { NONE, STATUS_INK, capital, utc, verdictBlock } from './words.ts';

/** The bookmark with which other parts of the document refer to a run. */
export const markOf = (run: Pick<TrailRun, 'id'>): string => `run-${run.id}`;

/** Writes a run, starting on a new page. Unfinished work is evaluated as of `now`, in epoch milliseconds. */
export async function writeRun(pdf: Pdf, run: TrailRun, now: number): Promise<void> {
  pdf.newPage();
  pdf.mark(markOf(run), run.name);
  await pdf.text({ text: run.name, style: 'title' });
  pdf.space(3);
  const workflow = `${run.workflow_title}  ·  ${run.workflow_key}  ·  version ${run.version}`;
  await pdf.text({ text: workflow, style: 'body', ink: 'second' });
  pdf.space(12);
  await pdf.facts(factsOf(run, now));

  await heading(pdf, 'Steps');
  await writeSteps(pdf, run, now);
  await heading(pdf, 'History');
  await writeHistory(pdf, run);
  await heading(pdf, `Review of version ${run.version}`);
  await writeReview(pdf, run);
}

async function heading(pdf: Pdf, text: string): Promise<void> {
  pdf.space(20);
  pdf.keepTogether(90);
  await pdf.text({ text, style: 'heading' });
  pdf.space(5);
}

function factsOf(run: TrailRun, now: number): (readonly [string, Block | readonly Block[]])[] {
  const { state, ofVersion } = run;
  const workflow = { steps: ofVersion.steps };
  const { completed, skipped, total } = progressOf(workflow, state);
  const ended = endOf(state);
  const target = state.targetMs === null ? '' : ` of ${exactDuration(state.targetMs)}`;
  const reason = state.status === 'cancelled' ? state.reason : failureMessage(state);
  return [
    ['Run', { text: run.id, style: 'code' }],
    ...(run.description ? ([['Description', { text: run.description, style: 'body' }]] as const) : []),
    ['Status', { text: capital(state.status), style: 'strong', ink: STATUS_INK[state.status] }],
    ...(reason === null ? [] : ([['Reason', { text: reason, style: 'body' }]] as const)),
    ...(state.status === 'cancelled'
      ? ([['Cancelled by', { text: `${state.by.name}  ·  ${state.by.email}`, style: 'body' }]] as const)
      : []),
    ['Priority', { text: capital(run.priority), style: 'body' }],
    ['Started by', { text: `${state.startedBy.name}  ·  ${state.startedBy.email}`, style: 'body' }],
    ['Started at', { text: utc(state.startedAt), style: 'code' }],
    ['Ended at', ended === null ? NONE : { text: utc(ended), style: 'code' }],
    ['Duration, SLA target', { text: `${exactDuration(durationMs(state, now))}${target}`, style: 'code' }],
    ['SLA verdict', verdictBlock(slaStateOfRun(state, now))],
    [
      'Steps',
      { text: `${completed} of ${total} completed${skipped > 0 ? `, ${skipped} skipped` : ''}`, style: 'body' },
    ],
  ];
}
