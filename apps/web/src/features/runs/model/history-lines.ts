import type { HistoryEntry, RunStep } from '@stet/contract';
import { formatDay } from '../../../lib/format/time.ts';

export type HistoryLine = { key: string; at: string; subject: string; verb: string; detail: string };
export type HistoryDay = { day: string; lines: HistoryLine[] };

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

function outputText(output: unknown): string {
  return typeof output === 'object' && output !== null && 'text' in output ? text(output.text) : text(output);
}

/** What was said with it: a reason, a comment, the input of a step. */
function spoken({ data }: HistoryEntry): string {
  const words = text(data['reason']) || text(data['comments']) || outputText(data['output']);
  return words === '' ? '' : `: “${words}”`;
}

// Actions of the run itself begin so; one of them names the step that failed, but is not about it.
const OF_THE_RUN = /^run_/;

const subjectOf = ({ stepId, action }: HistoryEntry, titles: ReadonlyMap<string, string>): string =>
  stepId === null || OF_THE_RUN.test(action) ? 'Run' : (titles.get(stepId) ?? stepId);

/** Newest first, under the heads of their days (specification, section 2, run execution). `now` in milliseconds. */
export function historyDays(
  history: readonly HistoryEntry[],
  steps: readonly Pick<RunStep, 'id' | 'title'>[],
  now: number,
): HistoryDay[] {
  const titles = new Map(steps.map(({ id, title }) => [id, title]));
  const days: HistoryDay[] = [];
  // Entries come oldest first; of those of one moment the later one is the newer.
  for (const [at, entry] of [...history.entries()].reverse()) {
    const day = formatDay(entry.at, now);
    const line: HistoryLine = {
      key: `${at}-${entry.action}`,
      at: entry.at,
      subject: subjectOf(entry, titles),
      verb: entry.action.replace(OF_THE_RUN, '').replaceAll('_', ' '),
      detail: `${entry.actor.name}${spoken(entry)}`,
    };
    const current = days.at(-1);
    if (current?.day === day) current.lines.push(line);
    else days.push({ day, lines: [line] });
  }
  return days;
}
