import { isolated } from '@stet/domain/workflows';
import { readerDates } from '@stet/presentation/reader-dates';
import { slaStateOfRun } from '@stet/domain/runs';
import type { SlaState } from '@stet/domain/sla';
import type { Block, Pdf } from '../../../kernel/pdf.ts';
import type { Trail } from '../trail.ts';
import { markOf } from './run-part.ts';
import {
  type Times,
  actionWords,
  capital,
  counted,
  figure,
  personWords,
  utc,
  verdictBlock,
  STATUS_INK,
} from './words.ts';

type Scoped = Pick<Trail, 'scope' | 'runName'>;

/** The document's scope, written out in full. */
export function scopeWords({ scope, runName }: Scoped, times: Times): string {
  if (scope.kind === 'run') return `One run: ${isolated(runName ?? scope.runId)}`;
  return periodWords(scope, (moment) => times.inWords(moment));
}

function periodWords({ from, to }: { from: string | null; to: string | null }, show: (moment: Date) => string): string {
  const [first, last] = [from && show(new Date(from)), to && show(new Date(to))];
  if (first && last) return `Runs started from ${first} to ${last}`;
  if (first) return `Runs started at or after ${first}`;
  return last ? `Runs started up to ${last}` : 'All runs';
}

function scopeBlocks(trail: Scoped, times: Times): Block[] {
  const { scope } = trail;
  const words: Block = { text: scopeWords(trail, times), style: 'body' };
  const hasPeriod = scope.kind === 'period' && (scope.from !== null || scope.to !== null);
  return hasPeriod ? [words, { text: periodWords(scope, utc), style: 'code', ink: 'meta' }] : [words];
}

/** The scope in short form. */
function subtitle({ scope, runName }: Scoped, { form }: Times): string {
  if (scope.kind === 'run') return runName ?? scope.runId;
  const { day } = readerDates(form);
  if (scope.from && scope.to) return `${day(scope.from)} to ${day(scope.to)}`;
  if (scope.from) return `Since ${day(scope.from)}`;
  return scope.to ? `Up to ${day(scope.to)}` : 'All runs';
}

export async function writeCover(pdf: Pdf, trail: Trail, times: Times): Promise<void> {
  const { org, head, readAt, exportedBy } = trail;
  pdf.newPage();
  pdf.mark('cover', 'About this document');
  await pdf.logo();
  pdf.space(96);
  await pdf.text({ text: 'Audit trail', style: 'body', ink: 'meta' });
  pdf.space(2);
  await pdf.heading(1, { text: org.name, style: 'display' });
  pdf.space(6);
  await pdf.text({ text: subtitle(trail, times), style: 'subtitle' });
  pdf.space(26);
  pdf.hairline();
  pdf.space(14);
  await pdf.facts([
    [
      'Organization',
      [
        { text: org.name, style: 'body' },
        { text: org.id, style: 'code' },
      ],
    ],
    ['Range', scopeBlocks(trail, times)],
    ['Exported by', { text: personWords(exportedBy), style: 'body' }],
    ['Exported at', times.blocks(readAt, 'body')],
    ['Runs', countBlocks(trail)],
    ['Events in this document', eventBlocks(trail)],
    [
      'Chain head',
      [
        { text: `Event ${head.seq} of the organization`, style: 'body' },
        { text: head.hash, style: 'code', ink: 'text' },
      ],
    ],
    ['Verification', verificationBlocks(trail, times)],
    ['Checkpoint', checkpointBlocks(trail, times)],
  ]);
  pdf.space(14);
  pdf.hairline();
  pdf.space(12);
  for (const text of [timesNote(times), ...NOTES]) {
    await pdf.text({ text, style: 'small' });
    pdf.space(4);
  }
  await writeIndex(pdf, trail, times);
}

/** Says when the whole trail was last verified. If there is a finding, it comes first. */
function verificationBlocks(
  { verification: { verified, sentence } }: Pick<Trail, 'verification'>,
  times: Times,
): Block[] {
  const whole = verified
    ? `The whole trail up to event ${verified.size} was verified ${withExact(verified.at, times)}`
    : 'The whole trail has not been verified yet';
  if (sentence !== null)
    return [
      { text: 'BROKEN: this is not what was recorded', style: 'strong', ink: 'danger' },
      { text: sentence, style: 'body' },
      { text: whole, style: 'small' },
    ];
  return [
    { text: whole, style: 'body' },
    { text: 'Later events, and the events of this document, were verified for this export', style: 'small' },
  ];
}

/** The signed note without its empty lines, for the comparison with later exports. */
function checkpointBlocks({ checkpoint }: Pick<Trail, 'checkpoint'>, times: Times): Block[] {
  if (!checkpoint) return [{ text: 'None: the trail could not be sealed', style: 'strong', ink: 'danger' }];
  const lines = checkpoint.note.split('\n').filter((line) => line !== '');
  return [
    {
      text: `Seals the first ${counted(checkpoint.size, 'event')}, signed ${withExact(checkpoint.at, times)}`,
      style: 'body',
    },
    ...lines.map((text): Block => ({ text, style: 'code' })),
    { text: 'Signed by the key', style: 'small' },
    { text: checkpoint.key, style: 'code' },
  ];
}

const withExact = (moment: string | number, { inWords }: Times): string =>
  `${inWords(moment)} (${utc(new Date(moment))})`;

const timesNote = ({ form }: Times): string =>
  `Times are in the time zone ${form.timeZone}. Below each one is the exact time in UTC, in ISO 8601 format. Elapsed times exclude pauses. Steps and runs that were still open are judged as of the time of export.`;

const NOTES = [
  'Each event of the organization contains the hash of the previous one, so no event can be changed, removed or moved without a trace. The chain head identifies the last event at the time of this document, and therefore all earlier events too. Each event is shown with the first 16 digits of its own hash.',
  'An event’s time is when it was recorded, just after the change was decided. A step’s times are those of the decisions.',
  'Files that people attached are not in this document. Each one is listed with its SHA-256 digest, which proves later that a file is the one that was attached.',
];

function countBlocks({ counts: { runs, statuses, slas } }: Trail): Block[] {
  if (runs === 0) return [{ text: 'No runs in this range', style: 'strong' }];
  const words = [...statuses].map(([status, n]) => `${figure(n)} ${status}`);
  const verdicts = [...slas].map(([state, n]) => `${figure(n)} ${slaWords(state)}`);
  return [
    { text: `${counted(runs, 'run')}: ${words.join(', ')}`, style: 'body' },
    { text: `SLA: ${verdicts.join(', ')}`, style: 'body' },
  ];
}

const slaWords = (state: SlaState | null): string => (state ?? 'without SLA').replace('_', ' ');

function eventBlocks({ counts: { events, actions } }: Trail): Block[] {
  const words = [...actions].map(([action, n]) => `${actionWords(action)} ${figure(n)}`);
  return [
    { text: counted(events, 'event'), style: 'body' },
    ...(words.length > 0 ? [{ text: words.join('  ·  '), style: 'small' } as const] : []),
  ];
}

async function writeIndex(pdf: Pdf, { counts, listed, readAt: now }: Trail, times: Times): Promise<void> {
  if (counts.runs < 2) return;
  pdf.newPage();
  pdf.mark('index', 'Index of runs');
  await pdf.heading(2, { text: 'Index of runs', style: 'title' });
  pdf.space(10);
  const table = await pdf.table([
    { head: 'Run', share: 142 },
    { head: 'Workflow', share: 110 },
    { head: 'Started', share: 104 },
    { head: 'Status', share: 52 },
    { head: 'SLA', share: 44 },
    { head: 'Page', share: 26, align: 'right' },
  ]);
  for await (const run of listed()) {
    await table.row([
      { text: run.name, style: 'name', to: markOf(run) },
      [
        { text: run.workflow_title, style: 'body' },
        { text: `${run.workflow_key}, version ${run.version}`, style: 'small' },
      ],
      times.blocks(run.state.startedAt),
      { text: capital(run.state.status), style: 'body', ink: STATUS_INK[run.state.status] },
      verdictBlock(slaStateOfRun(run.state, now)),
      { text: '', style: 'body', pageOf: markOf(run) },
    ]);
  }
}
