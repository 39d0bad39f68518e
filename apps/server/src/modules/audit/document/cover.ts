import { slaStateOfRun } from '@stet/domain/runs';
import type { SlaState } from '@stet/domain/sla';
import type { Block, Pdf } from '../../../kernel/pdf.ts';
import type { Trail } from '../trail.ts';
import { markOf } from './run-part.ts';
import { actionWords, capital, counted, figure, utc, verdictBlock, STATUS_INK } from './words.ts';

/** What the document is of, in words. */
export function scopeWords({ scope, runName }: Pick<Trail, 'scope' | 'runName'>): string {
  if (scope.kind === 'run') return `One run: ${runName ?? scope.runId}`;
  const from = scope.from && utc(new Date(scope.from));
  const to = scope.to && utc(new Date(scope.to));
  if (from && to) return `Runs started from ${from} to ${to}`;
  if (from) return `Runs started from ${from} on`;
  return to ? `Runs started up to ${to}` : 'All runs';
}

/** The same to be read at a glance. */
function subtitle({ scope, runName }: Pick<Trail, 'scope' | 'runName'>): string {
  if (scope.kind === 'run') return runName ?? scope.runId;
  const day = (moment: string): string => DAY.format(new Date(moment));
  if (scope.from && scope.to) return `${day(scope.from)} to ${day(scope.to)}`;
  if (scope.from) return `From ${day(scope.from)} on`;
  return scope.to ? `Up to ${day(scope.to)}` : 'All runs';
}
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export async function writeCover(pdf: Pdf, trail: Trail): Promise<void> {
  const { org, head, readAt, exportedBy } = trail;
  pdf.newPage();
  await pdf.text({ text: 'Stet', style: 'title' });
  pdf.dots();
  pdf.space(96);
  await pdf.text({ text: 'Audit trail', style: 'body', ink: 'meta' });
  pdf.space(2);
  await pdf.text({ text: org.name, style: 'display' });
  pdf.space(6);
  await pdf.text({ text: subtitle(trail), style: 'subtitle' });
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
    ['Range', { text: scopeWords(trail), style: 'body' }],
    ['Exported by', { text: `${exportedBy.name}  ·  ${exportedBy.email}`, style: 'body' }],
    ['Exported at', { text: utc(readAt), style: 'code' }],
    ['Runs', countBlocks(trail)],
    ['Events in this document', eventBlocks(trail)],
    [
      'Chain head',
      [
        { text: `Event ${head.seq} of the organization`, style: 'body' },
        { text: head.hash, style: 'code', ink: 'text' },
      ],
    ],
    ['Checkpoint', checkpointBlocks(trail)],
  ]);
  pdf.space(14);
  pdf.hairline();
  pdf.space(12);
  for (const text of NOTES) {
    await pdf.text({ text, style: 'small' });
    pdf.space(4);
  }
  await writeContents(pdf, trail);
}

/** The signed note as it stands, so that it can be held against any later export. */
function checkpointBlocks({ checkpoint }: Pick<Trail, 'checkpoint'>): Block[] {
  if (!checkpoint) return [{ text: 'None: the trail could not be sealed', style: 'strong', ink: 'danger' }];
  const lines = checkpoint.note.split('\n').filter((line) => line !== '');
  return [
    { text: `Seals the first ${counted(checkpoint.size, 'event')}, signed ${utc(checkpoint.at)}`, style: 'body' },
    ...lines.map((text): Block => ({ text, style: 'code' })),
    { text: 'Signed by the key', style: 'small' },
    { text: checkpoint.key, style: 'code' },
  ];
}

const NOTES = [
  'All times are UTC and exact, written year-month-day, T, hours:minutes:seconds, Z. Elapsed times leave out pauses. What was not over when this document was made is judged as of the time of export.',
  'Each event of the organization carries the hash of the one before it, so that none can be changed, removed or put elsewhere without trace. The chain head names the last event when this document was made, and with it everything before. Beside each event stand the first 16 digits of its own hash.',
  'The time of an event is when it was recorded, a moment after the change that it tells of was decided; the times of steps are those of the decision.',
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

async function writeContents(pdf: Pdf, { counts, listed, readAt: now }: Trail): Promise<void> {
  if (counts.runs < 2) return;
  pdf.newPage();
  await pdf.text({ text: 'Runs in this document', style: 'title' });
  pdf.space(10);
  const table = await pdf.table([
    { head: 'Run', share: 142 },
    { head: 'Workflow', share: 110 },
    { head: 'Started (UTC)', share: 104 },
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
      { text: utc(run.state.startedAt), style: 'code' },
      { text: capital(run.state.status), style: 'body', ink: STATUS_INK[run.state.status] },
      verdictBlock(slaStateOfRun(run.state, now)),
      { text: '', style: 'body', pageOf: markOf(run) },
    ]);
  }
}
