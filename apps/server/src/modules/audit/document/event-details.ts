import { exactDuration } from '@stet/presentation/duration-in-words';
import { type DecisionMark, decisionMarkWords } from '@stet/domain/runs';
import {
  type InputField,
  STEP_TYPES,
  type Step,
  type StepReport,
  type Evidence,
  evidenceIn,
  filesOf,
  isEvidence,
  reportWords,
  sizeWords,
} from '@stet/domain/steps';
import { isolated, visibleText } from '@stet/domain/workflows';
import { type Times, counted, utc } from './words.ts';

/**
 * Maximum number of characters shown for a detail. A longer text is cut and ends with a note that says how much is
 * missing and which event contains it.
 */
const MAX_LENGTH = 4000;

// Fields that other columns show, or that are only meant for machines.
const SHOWN_ELSEWHERE = new Set(['type', 'at', 'by', 'stepId', 'noteId', 'mentions']);

/** Determines how steps and times are shown. `fields` are those of the event's step. */
type Shown = { titleOf: (stepId: string) => string; fields: readonly InputField[]; times: Times };
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
  addedBy: ['Added to the group, or given the role, by', plain],
  handedBy: ['Handed over before by', namesIn],
  givers: ['Handed over so far by', namesIn],
  handedTo: ['Handed over to', (value) => nameIn(value)],
  holder: ['Released from', (value) => nameIn(value)],
  because: ['Because', (value) => BECAUSE[String(value)] ?? plain(value)],
  isOfApproval: ['Takes the place of the approver', (value) => (value === true ? 'yes' : 'no')],
  marks: ['Marked', (value) => (Array.isArray(value) ? decisionMarkWords(value as DecisionMark[]) : plain(value))],
  approvalMark: [
    'Couldn’t have approved it under strict reviews',
    (value) => (typeof value === 'string' ? decisionMarkWords([value as DecisionMark]) : plain(value)),
  ],
  retriedAlone: ['Own work rejected, nobody else could retry', (value) => (value === true ? 'yes' : 'no')],
  restartOf: ['Follows a rejected run', plain],
  pausedSince: ['Paused since', moment],
  onward: ['The run continued after this step', (value) => (value === true ? 'yes' : 'no')],
  headSeq: ['Chain head', plain],
  headHash: ['Hash of the chain head', plain],
  runsLeftOut: ['Runs left out', plain],
};

const BECAUSE: Readonly<Record<string, string>> = {
  member_left: 'they left the organization',
  member_removed: 'they were removed from the organization',
  account_disabled: 'their account was disabled',
};

/** A person's name with the address, or a group's name with its slug. */
function nameIn(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('name' in value)) return plain(value);
  const about = 'email' in value ? String(value.email) : 'slug' in value ? `group ${String(value.slug)}` : '';
  return about === '' ? String(value.name) : `${String(value.name)} (${about})`;
}

function namesIn(value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? value.map(nameIn).join(', ') : 'nobody';
}

/**
 * Returns the details of an event, one per line. Omits fields that other columns show, empty fields, and the number of
 * a step's first activation. A field without a label is shown under its own name.
 */
export function eventDetails(
  data: Readonly<Record<string, unknown>> | undefined,
  { steps, times }: { steps: ReadonlyMap<string, Step>; times: Times },
  seq: number,
): string[] {
  const step = steps.get(String(data?.['stepId']));
  const fields = step?.type === 'manual' ? (step.config.fields ?? []) : [];
  const shown: Shown = { titleOf: (stepId) => steps.get(stepId)?.title ?? stepId, fields, times };
  return Object.entries(data ?? {})
    .filter(([key, value]) => !SHOWN_ELSEWHERE.has(key) && !(key === 'activation' && value === 1))
    .flatMap(([key, value]) => {
      // If a pause has no reason, this is mentioned. Other missing values are omitted.
      if (value === null) return key === 'reason' && data?.['type'] === 'run_paused' ? ['Reason: none was given'] : [];
      const [label, show] = LABELS[key] ?? [key, plain];
      // The files of a note. Its text is a separate detail.
      if (key === 'files' && data?.['noteId'] !== undefined) return fileLines(filesOf(value));
      const line = `${label}: ${shortened(show(value, shown), seq)}`;
      // Each file has its own line, so that a long text never hides a digest.
      return key === 'output' && !isReported(data) ? [line, ...fileLines(evidenceIn(value))] : [line];
    });
}

/** Only people's files are evidence, because outputs of steps that the server executes can contain anything. */
const isReported = (data: Readonly<Record<string, unknown>> | undefined): boolean => Boolean(data?.['report']);

const fileLines = (files: readonly Evidence[]): string[] =>
  files.map(
    ({ name, size, mediaType, sha256 }) =>
      `File: ${nameWords(name)}, ${sizeWords(size)}, ${mediaType}, SHA-256 ${sha256}`,
  );

const nameWords = (name: string): string => isolated(visibleText(name));

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the typed text and the values of the form, each with its label. Any other output is shown as JSON. */
function outputText(value: unknown, { fields }: Shown): string {
  const { text, fields: values, ...others } = recordOf(value);
  if (typeof text !== 'string' || Object.keys(others).length > 0) return plain(value);
  if (values === undefined) return text;
  const given = recordOf(values);
  const isOther = (id: string): boolean => !fields.some((field) => field.id === id);
  if (Object.keys(given).some(isOther)) return plain(value);
  const lines = fields.flatMap(({ id, label, unit }) =>
    id in given ? [`${label}: ${valueWords(given[id])}${unit === undefined ? '' : ` ${unit}`}`] : [],
  );
  return [...lines, ...(text === '' ? [] : [text])].join('\n');
}

function valueWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (!Array.isArray(value)) return plain(value);
  return value.map((each: unknown) => (isEvidence(each) ? nameWords(each.name) : plain(each))).join(', ');
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Describes the result of a step that the server executed. A report of an unknown type is returned as plain text. */
function reportText(value: unknown): string {
  const report = value as StepReport;
  return STEP_TYPES.some((type) => type === report.kind) ? reportWords(report, exactDuration) : plain(value);
}

function shortened(text: string, seq: number): string {
  if (text.length <= MAX_LENGTH) return text;
  const characters = Array.from(text);
  const missing = characters.length - MAX_LENGTH;
  if (missing <= 0) return text;
  return `${characters.slice(0, MAX_LENGTH).join('')} … (${counted(missing, 'more character')}: see event ${seq} of the trail)`;
}
