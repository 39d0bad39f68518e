import { exactDuration } from '@stet/presentation/duration-in-words';
import { durationMs, endOf, failureMessage, progressOf, slaStateOfRun } from '@stet/domain/runs';
import { isolated } from '@stet/domain/workflows';
import type { Fact, Pdf } from '../../../kernel/pdf.ts';
import type { TrailRun } from '../trail.ts';
import { writeHistory } from './history-part.ts';
import { emergencyFact, writeReview } from './review-part.ts';
import { writeSteps } from './steps-part.ts';
import { NONE, STATUS_INK, type Times, capital, personBlocks, verdictBlock } from './words.ts';

/** The bookmark with which other parts of the document refer to a run. */
export const markOf = (run: Pick<TrailRun, 'id'>): string => `run-${run.id}`;

/**
 * Height in points that must be left on a page for a run to start there. The run's facts and first steps fit into it.
 */
const BEGINNING = 240;
const SPACE_BETWEEN = 34;

type Place = {
  /** The time as of which unfinished work is evaluated, in epoch milliseconds. */
  now: number;
  times: Times;
  /** The versions whose review the document already contains. */
  reviewed: Set<string>;
  isFirst: boolean;
  /** The level of the run's entry in the outline. */
  level: 1 | 2;
};

/** Writes a run. Short runs share a page. The review of a version is written with the first run of that version. */
export async function writeRun(pdf: Pdf, run: TrailRun, place: Place): Promise<void> {
  const { now, times, reviewed, isFirst, level } = place;
  if (!isFirst) {
    pdf.space(SPACE_BETWEEN);
    pdf.keepTogether(BEGINNING);
  }
  pdf.mark(markOf(run), run.name, level);
  await pdf.group('section', async () => {
    await pdf.heading(2, { text: run.name, style: 'title' });
    pdf.space(3);
    const workflow = `${isolated(run.workflow_title)}  ·  ${run.workflow_key}  ·  version ${run.version}`;
    await pdf.text({ text: workflow, style: 'body', ink: 'second' });
    pdf.space(12);
    const isReviewed = reviewed.has(run.version_id);
    await pdf.facts([...factsOf(run, now, times), ...(isReviewed ? [reviewReference(run)] : [])], 2);

    await heading(pdf, 'Steps');
    await writeSteps(pdf, run, now, times);
    await heading(pdf, 'History');
    await writeHistory(pdf, run, times);
    if (isReviewed) return;
    reviewed.add(run.version_id);
    await heading(pdf, `Review of version ${run.version}`, reviewMark(run));
    await writeReview(pdf, run, times);
  });
}

const reviewMark = ({ version_id }: TrailRun): string => `review-${version_id}`;

const reviewReference = (run: TrailRun): Fact => [
  'Review',
  { text: `Review of version ${run.version}: page`, style: 'body', to: reviewMark(run), pageOf: reviewMark(run) },
];

async function heading(pdf: Pdf, text: string, mark?: string): Promise<void> {
  pdf.space(20);
  pdf.keepTogether(90);
  if (mark !== undefined) pdf.mark(mark, null);
  await pdf.heading(3, { text, style: 'heading' });
  pdf.space(5);
}

function factsOf(run: TrailRun, now: number, times: Times): Fact[] {
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
    ...(state.status === 'cancelled' ? ([['Cancelled by', personBlocks(state.by)]] as const) : []),
    ['Priority', { text: capital(run.priority), style: 'body' }],
    ['Started by', personBlocks(state.startedBy)],
    ['Started at', times.blocks(state.startedAt, 'body')],
    ['Ended at', ended === null ? NONE : times.blocks(ended, 'body')],
    ['Duration, SLA target', { text: `${exactDuration(durationMs(state, now))}${target}`, style: 'code' }],
    ['SLA verdict', verdictBlock(slaStateOfRun(state, now))],
    [
      'Steps',
      { text: `${completed} of ${total} completed${skipped > 0 ? `, ${skipped} skipped` : ''}`, style: 'body' },
    ],
    ...emergencyFact(ofVersion, state.startedAt, times),
  ];
}
