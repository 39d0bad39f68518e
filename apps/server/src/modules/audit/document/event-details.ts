import { exactDuration } from '@stet/presentation/duration-in-words';
import { type DecisionMark, decisionMarkWords } from '@stet/domain/runs';
import { STEP_TYPES, type Step, type StepReport, reportWords } from '@stet/domain/steps';
import { type Times, counted, utc } from './words.ts';

/**
 * Maximum number of characters shown for a detail. A longer text ends with a note on how much is missing and where to
 * find it.
 */
const LONGEST = 4000;

// Fields that other columns show, or that only machines need.
const SHOWN_ELSEWHERE = new Set(['type', 'at', 'by', 'stepId', 'noteId', 'mentions']);

/** How steps and times are shown. */
type Shown = { titleOf: (stepId: string) => string; times: Times };
type Show = (value: unknown, shown: Shown) => string;

const moment: Show = (value, { times }) =>
  typeof value === 'number' ? `${times.inWords(value)} (${utc(value)})` : plain(value);
const duration: Show = (value) => (typeof value === 'number' ? exactDuration(value) : plain(value));

const ACTED_FOR: Readonly<Record<string, string>> = {
  helper: 'helped out',
  too_few: 'too few assignees could act',
  overdue: 'the step was long overdue',
};

const LABELS: Readonly<Record<string, readonly [label: string, show: Show]>> = {
  output: ['Output', outputText],
  notes: ['Notes', plain],
  comments: ['Comments', plain],
  text: ['Note', plain],
  reason: ['Reason', plain],
  votes: ['Approvals so far', plain],
  required: ['Approvals needed', plain],
  log: ['Log', (value) => (Array.isArray(value) ? value.map(plain).join('\n') : plain(value))],
  report: ['Ended', reportText],
  simulated: ['Simulated', (value) => (value === true ? 'yes' : 'no')],
  returnsTo: ['Returns to', (value, { titleOf }) => (typeof value === 'string' ? titleOf(value) : plain(value))],
  dueAt: ['Due', moment],
  targetMs: ['SLA target', duration],
  pausedMs: ['Paused for', duration],
  activation: ['Activation', plain],
  actsFor: ['Acted for the assignees', (value) => ACTED_FOR[String(value)] ?? plain(value)],
  addedBy: ['Added to the group by', plain],
  marks: ['Marked', (value) => (Array.isArray(value) ? decisionMarkWords(value as DecisionMark[]) : plain(value))],
  retriedAlone: ['Own work rejected, nobody else could retry', (value) => (value === true ? 'yes' : 'no')],
  restartOf: ['Follows a rejected run that was cancelled', plain],
  pausedSince: ['Paused since', moment],
  onward: ['The run continued after this step', (value) => (value === true ? 'yes' : 'no')],
  headSeq: ['Chain head', plain],
  headHash: ['Hash of the chain head', plain],
  runsLeftOut: ['Runs left out', plain],
};

/**
 * The details of an event, one per line. Omits what other columns show, empty fields, and the number of a step's first
 * activation. A field without a label is shown under its own name.
 */
export function eventDetails(
  data: Readonly<Record<string, unknown>> | undefined,
  { steps, times }: { steps: ReadonlyMap<string, Step>; times: Times },
  seq: number,
): string[] {
  const shown: Shown = { titleOf: (stepId) => steps.get(stepId)?.title ?? stepId, times };
  return Object.entries(data ?? {})
    .filter(([key, value]) => !SHOWN_ELSEWHERE.has(key) && !(key === 'activation' && value === 1))
    .flatMap(([key, value]) => {
      // For a pause, a missing reason is mentioned. Other missing values are omitted.
      if (value === null) return key === 'reason' && data?.['type'] === 'run_paused' ? ['Reason: none was given'] : [];
      const [label, show] = LABELS[key] ?? [key, plain];
      return `${label}: ${shortened(show(value, shown), seq)}`;
    });
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The typed text, if the output contains nothing else. */
function outputText(value: unknown): string {
  const isObject = typeof value === 'object' && value !== null;
  if (isObject && 'text' in value && typeof value.text === 'string' && Object.keys(value).length === 1)
    return value.text;
  return plain(value);
}

/** How a step executed by the server ended. If the report has an unknown type, it is returned as plain text. */
function reportText(value: unknown): string {
  const report = value as StepReport;
  return STEP_TYPES.some((type) => type === report.kind) ? reportWords(report, exactDuration) : plain(value);
}

function shortened(text: string, seq: number): string {
  if (text.length <= LONGEST) return text;
  const characters = Array.from(text);
  const missing = characters.length - LONGEST;
  if (missing <= 0) return text;
  return `${characters.slice(0, LONGEST).join('')} … (${counted(missing, 'more character')}: see event ${seq} of the trail)`;
}
