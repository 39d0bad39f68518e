import type { StepReport } from '@stet/domain/runs';
import type { Step } from '@stet/domain/workflows';
import { counted, exactDuration, utc } from './words.ts';

/** The longest text of one detail that is printed; what is longer says how much is missing and where it stands. */
const LONGEST = 4000;

// What an event says in other columns, or what only machines need.
const TOLD_ELSEWHERE = new Set(['type', 'at', 'by', 'stepId']);

type Show = (value: unknown, titleOf: (stepId: string) => string) => string;

const moment: Show = (value) => (typeof value === 'number' ? utc(value) : plain(value));
const duration: Show = (value) => (typeof value === 'number' ? exactDuration(value) : plain(value));

const ACTED_FOR: Readonly<Record<string, string>> = {
  helper: 'helped',
  too_few: 'they are too few',
  overdue: 'long overdue',
};

const LABELS: Readonly<Record<string, readonly [label: string, show: Show]>> = {
  output: ['Output', outputText],
  notes: ['Notes', plain],
  comments: ['Comments', plain],
  reason: ['Reason', plain],
  votes: ['Approvals so far', plain],
  required: ['Approvals needed', plain],
  log: ['Log', (value) => (Array.isArray(value) ? value.map(plain).join('\n') : plain(value))],
  report: ['Ended', reportText],
  simulated: ['Simulated', (value) => (value === true ? 'yes' : 'no')],
  returnsTo: ['Returns to', (value, titleOf) => (typeof value === 'string' ? titleOf(value) : plain(value))],
  dueAt: ['Due', moment],
  targetMs: ['SLA target', duration],
  pausedMs: ['Paused for', duration],
  activation: ['Activation', plain],
  actsFor: ['Acted for those named', (value) => ACTED_FOR[String(value)] ?? plain(value)],
  retriedAlone: ['Own work rejected, nobody else could retry', (value) => (value === true ? 'yes' : 'no')],
  restartOf: ['Follows a rejected run that was cancelled', plain],
  pausedSince: ['Paused since', moment],
  onward: ['Run goes on behind it', (value) => (value === true ? 'yes' : 'no')],
  headSeq: ['Chain head', plain],
  headHash: ['Hash of the chain head', plain],
  runsLeftOut: ['Runs left out', plain],
};

/**
 * What an event says besides who, when and on which step, a line for each thing. Nothing is left out: a field without a
 * label stands under its own name.
 */
export function eventDetails(
  data: Readonly<Record<string, unknown>> | undefined,
  steps: ReadonlyMap<string, Step>,
  seq: number,
): string[] {
  const titleOf = (stepId: string): string => steps.get(stepId)?.title ?? stepId;
  return Object.entries(data ?? {})
    .filter(([key, value]) => !TOLD_ELSEWHERE.has(key) && !(key === 'activation' && value === 1))
    .flatMap(([key, value]) => {
      // That nobody said why a run was paused is worth a line; that nothing else was said isn't.
      if (value === null) return key === 'reason' && data?.['type'] === 'run_paused' ? ['Reason: none was given'] : [];
      const [label, show] = LABELS[key] ?? [key, plain];
      return `${label}: ${shortened(show(value, titleOf), seq)}`;
    });
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The text that a person typed, where an output is nothing else. */
function outputText(value: unknown): string {
  const isObject = typeof value === 'object' && value !== null;
  if (isObject && 'text' in value && typeof value.text === 'string' && Object.keys(value).length === 1)
    return value.text;
  return plain(value);
}

/** How a step ended that the server carried out. */
function reportText(value: unknown): string {
  const report = value as StepReport;
  switch (report.kind) {
    case 'automated': {
      const took = report.reportedMs === null ? '' : `, ${exactDuration(report.reportedMs)}`;
      return `${report.simulated ? 'simulated' : 'by its script'}${took}`;
    }
    case 'condition':
      return `the condition is ${report.result ? 'true' : 'false'}`;
    case 'notification':
      return report.undeliverable.length === 0
        ? 'sent to all recipients'
        : `not reached: ${report.undeliverable.join(', ')}`;
    default:
      return plain(value);
  }
}

function shortened(text: string, seq: number): string {
  if (text.length <= LONGEST) return text;
  const characters = Array.from(text);
  const missing = characters.length - LONGEST;
  if (missing <= 0) return text;
  return `${characters.slice(0, LONGEST).join('')} … (${counted(missing, 'more character')}: see event ${seq} of the trail)`;
}
