export const WORKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] as const;

/**
 * The time of a run. `last` is for open or recently completed runs: the age of their latest action in milliseconds.
 * Other runs start at a time of day (`09:12`) on a working day of a past week, where 1 is the latest week, so that
 * people work during working hours.
 */
export type When = { last: number } | { week: number; day: (typeof WORKDAYS)[number]; at: string };

/**
 * When the last act on a draft took place: `daysAgo` is during working hours, on that day or the working day before it;
 * `last` is a number of milliseconds ago, at any hour.
 */
export type Ended = { daysAgo: number } | { last: number };
