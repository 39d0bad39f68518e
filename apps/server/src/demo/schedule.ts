export const WORKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] as const;

/**
 * When a run took place. `last`: its latest act, that many milliseconds before now, for what is still open or just over.
 * Otherwise its beginning: a time of day (`09:12`) on a working day of a week that is over, 1 being the latest, so that
 * people are seen to work when people work.
 */
export type When = { last: number } | { week: 1 | 2 | 3; day: (typeof WORKDAYS)[number]; at: string };

/**
 * The moment at which a run began, epoch milliseconds.
 * @param actsMs how long it took from there to its latest act
 * @param now epoch milliseconds; days are those of the time zone of this process
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
