import { MINUTE_MS } from '@stet/domain/sla';
import type { DraftScript } from './draft-script.ts';
import type { RunScript } from './run-script.ts';
import { WORKDAYS, type When } from './when.ts';

/**
 * The start of a run, in epoch milliseconds.
 *
 * @param actsMs milliseconds from the start to the latest action
 * @param now epoch milliseconds; days are in the time zone of this process
 */
export function beginningOf(when: When, actsMs: number, now: number): number {
  if ('last' in when) return now - when.last - actsMs;
  const [hour = 0, minute = 0] = when.at.split(':').map(Number);
  const today = new Date(now);
  // The latest Friday before today ends week 1.
  const sinceFriday = ((today.getDay() + 1) % 7) + 1;
  const daysBack = sinceFriday + 4 + (when.week - 1) * 7 - WORKDAYS.indexOf(when.day);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysBack, hour, minute).getTime();
}

/** The start of a run and the time of each of its acts, in epoch milliseconds. */
export function runTimes({ when, acts }: RunScript, now: number): { start: number; acts: number[] } {
  const start = beginningOf(
    when,
    acts.reduce((sum, { after }) => sum + after, 0),
    now,
  );
  let at = start;
  return { start, acts: acts.map(({ after }) => (at += after)) };
}

/** Usual minutes of working time between the previous act on a draft and this one. */
const MINUTES = { save: 190, submit: 25, comment: 70, 'request-changes': 260, approve: 330 } as const;
const VARIATION = [0.2, 0.6, 1, 2.4] as const;
/** A merge follows its approval within minutes, at any time of day. */
const MERGE_MS = 4 * MINUTE_MS;

/**
 * Returns the times of the acts on a draft, in epoch milliseconds. The intervals between them depend on the name, and
 * are always the same for a name.
 */
export function draftTimes({ acts, ended }: DraftScript, name: string, now: number): number[] {
  const times: number[] = [];
  let at = 'last' in ended ? now - ended.last : onWorkday(ended.daysAgo, name, now);
  if (acts.at(-1)?.do !== 'merge') at = workingTimeBefore(at, 0);
  for (const [n, act] of [...acts.entries()].toReversed()) {
    times.unshift(at);
    if (act.do === 'merge') at -= MERGE_MS;
    else {
      const variation = VARIATION[numberOf(`${name} ${n}`) % VARIATION.length] ?? 1;
      at = workingTimeBefore(at, MINUTES[act.do] * variation * MINUTE_MS);
    }
  }
  return times;
}

function onWorkday(daysAgo: number, name: string, now: number): number {
  const minutes = numberOf(name);
  const today = new Date(now);
  const evening = new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo, 17);
  return workingTimeBefore(evening.getTime(), (5 + (minutes % 420)) * MINUTE_MS);
}

/** Returns the moment that lies a given working time before `at`. Working hours are Monday to Friday, 8:30 to 17:30. */
export function workingTimeBefore(at: number, ms: number): number {
  let left = ms;
  for (let back = 0; ; back += 1) {
    const day = new Date(at);
    const [from, to] = [8, 17].map(
      (hour) => new Date(day.getFullYear(), day.getMonth(), day.getDate() - back, hour, 30),
    ) as [Date, Date];
    const end = Math.min(at, to.getTime());
    if ([0, 6].includes(from.getDay()) || end <= from.getTime()) continue;
    if (end - from.getTime() >= left) return end - left;
    left -= end - from.getTime();
  }
}

/** Returns a number for a name, which is always the same for this name. */
function numberOf(name: string): number {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return sum;
}
