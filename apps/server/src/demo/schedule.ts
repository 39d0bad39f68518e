export const WORKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] as const;

/**
 * When a run took place. `last` is for open or recently completed runs: how many milliseconds ago their latest action
 * was. Other runs start at a time of day (`09:12`) on a working day of a past week, where 1 is the latest week, so that
 * people work during working hours.
 */
export type When = { last: number } | { week: 1 | 2 | 3; day: (typeof WORKDAYS)[number]; at: string };

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
