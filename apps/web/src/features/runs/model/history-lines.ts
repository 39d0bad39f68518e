import { DECISION_MARKS, decisionMarkWords } from '@stet/domain/runs';
import { type Evidence, evidenceIn, filesOf } from '@stet/domain/steps';
import { isolated } from '@stet/domain/workflows';
import type { HistoryEntry, RunStep } from '@stet/contract';
import { actorName } from '../../../lib/format/actor-words.ts';
import { formatDay } from '../../../lib/format/time.ts';

type HistoryLine = {
  key: string;
  at: string;
  subject: string;
  verb: string;
  isSimulated: boolean;
  detail: string;
  /** The files in a person's input or note. */
  files: Evidence[];
};
type HistoryDay = { day: string; lines: HistoryLine[] };

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function outputText(output: unknown): string {
  return isRecord(output) ? text(output['text']) : text(output);
}

/** An entry's text, for example a reason, a comment, a step's input, or why a step was returned. */
function spoken({ action, actor, data }: HistoryEntry): string {
  const returned = isRecord(data['returned']) ? text(data['returned']['comments']) : '';
  // The server wrote the output of a step that has a report, so it isn't quoted as input.
  const input = isRecord(data['report']) ? '' : outputText(data['output']);
  const words = text(data['reason']) || text(data['text']) || text(data['comments']) || returned || input;
  if (words === '') return '';
  return action === 'failed' ? `: ${isolated(withoutActor(words, actor))}` : `: “${isolated(words)}”`;
}

/** Changes 'Rejected by Ellen Park: no' to 'Rejected: no', because the entry already shows the name. */
const withoutActor = (reason: string, actor: HistoryEntry['actor']): string =>
  reason.replace(
    `Rejected by ${[actor, actor.onBehalfOf].flatMap((each) => each?.name ?? []).join(' for ')}`,
    'Rejected',
  );

const reportOf = ({ data }: HistoryEntry): Record<string, unknown> => (isRecord(data['report']) ? data['report'] : {});

const isSimulated = (entry: HistoryEntry): boolean =>
  entry.data['simulated'] === true || reportOf(entry)['simulated'] === true;

const ACTED_FOR: Record<string, string> = {
  helper: 'helped',
  too_few: 'for the assignees, because too few of them could',
  overdue: 'for the assignees, because it was long overdue',
};

const BECAUSE: Record<string, string> = {
  member_left: ', who left the organization',
  member_removed: ', who was removed from the organization',
  account_disabled: ', whose account was disabled',
};

/** A decision's marks. Unknown marks are ignored. */
const markWords = (marks: unknown, addedBy: unknown): string =>
  Array.isArray(marks)
    ? decisionMarkWords(
        DECISION_MARKS.filter((mark) => marks.includes(mark)),
        typeof addedBy === 'string' ? isolated(addedBy) : null,
      )
    : '';

function remarks(entry: HistoryEntry): string {
  const { action, data } = entry;
  const report = reportOf(entry);
  const { result, undeliverable, reportedMs } = report;
  const parts = [
    ACTED_FOR[text(data['actsFor'])] ?? '',
    action === 'run_paused' && text(data['reason']) === '' ? 'no reason given' : '',
    markWords(data['marks'], data['addedBy']),
    Array.isArray(data['handedBy'])
      ? `after ${data['handedBy'].map((giver) => isolated(text(isRecord(giver) ? giver['name'] : ''))).join(', ')} had handed it over`
      : '',
    isRecord(data['handedTo']) ? `to ${isolated(text(data['handedTo']['name']))}` : '',
    isRecord(data['holder']) && data['holder']['id'] !== entry.actor.id
      ? `who took it from ${isolated(text(data['holder']['name']))}${BECAUSE[text(data['because'])] ?? ''}`
      : '',
    data['retriedAlone'] === true ? 'whose own work was rejected, because nobody else could' : '',
    typeof reportedMs === 'number' ? `${Math.round(reportedMs / 1000)} s` : '',
    typeof result === 'boolean' ? `was ${String(result)}` : '',
    Array.isArray(undeliverable) && undeliverable.length > 0
      ? `could not be sent to ${undeliverable.map((each) => isolated(String(each))).join(', ')}`
      : '',
    Array.isArray(data['log'])
      ? `${data['log'].length} ${data['log'].length === 1 ? 'line' : 'lines'} from the script`
      : '',
  ];
  return parts.map((part) => (part === '' ? '' : `, ${part}`)).join('');
}

/** Actions whose words differ from their names. */
const VERBS = new Map([
  ['skip_agreed', 'skip agreed'],
  ['run_pause_escalated', 'still paused after 7 days; owners and admins were notified'],
  ['noted', 'new note'],
  ['submitted', 'input given'],
  ['returned', 'input returned'],
  ['reset', 'is waiting again'],
  ['at_risk', 'is at risk'],
  ['breached', 'is past its due time'],
  ['reminded', 'is still waiting; people were notified again'],
]);

function verbOf({ action, data }: HistoryEntry): string {
  const { votes, required } = data;
  const count = typeof votes === 'number' && typeof required === 'number' ? `, ${votes} of ${required}` : '';
  return (VERBS.get(action) ?? action.replace(OF_THE_RUN, '').replaceAll('_', ' ')) + count;
}

// Actions on the run itself start with this. `run_failed` may contain a step, but isn't about that step.
const OF_THE_RUN = /^run_/;

const subjectOf = ({ stepId, action }: HistoryEntry, titles: ReadonlyMap<string, string>): string =>
  stepId === null || OF_THE_RUN.test(action) ? 'Run' : (titles.get(stepId) ?? stepId);

const noteFiles = ({ action, data }: HistoryEntry): Evidence[] => (action === 'noted' ? filesOf(data['files']) : []);

/** The entries by day, newest first (specification, section 2, run execution). `now` is in milliseconds. */
export function historyDays(
  history: readonly HistoryEntry[],
  steps: readonly Pick<RunStep, 'id' | 'title'>[],
  now: number,
): HistoryDay[] {
  const titles = new Map(steps.map(({ id, title }) => [id, title]));
  const days: HistoryDay[] = [];
  // Entries come oldest first. If two have the same time, the later one in the list is newer.
  for (const [at, entry] of [...history.entries()].reverse()) {
    const day = formatDay(entry.at, now);
    const line: HistoryLine = {
      key: `${at}-${entry.action}`,
      at: entry.at,
      subject: subjectOf(entry, titles),
      verb: verbOf(entry),
      isSimulated: isSimulated(entry),
      detail: `${actorName(entry.actor)}${remarks(entry)}${spoken(entry)}`,
      files: isRecord(entry.data['report']) ? [] : [...evidenceIn(entry.data['output']), ...noteFiles(entry)],
    };
    const current = days.at(-1);
    if (current?.day === day) current.lines.push(line);
    else days.push({ day, lines: [line] });
  }
  return days;
}
