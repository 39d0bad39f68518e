export const WORKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] as const;

/**
 * The time of a run. For an open or recently completed run, `last` is the age of its latest action in milliseconds.
 * Other runs start at a time of day (`09:12`) on a working day of a past week. Week 1 is the latest one.
 */
export type When = { last: number } | { week: number; day: (typeof WORKDAYS)[number]; at: string };

/**
 * The time of the last act on a draft. `daysAgo` means during working hours, on that day or the working day before it.
 * `last` is a number of milliseconds ago. Outside of working hours, any act but a merge is moved back into them.
 */
export type Ended = { daysAgo: number } | { last: number };
