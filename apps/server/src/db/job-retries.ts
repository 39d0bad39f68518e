import { QUEUE_JOBS_AND_TASKS } from './queue-tables.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Maximum number of attempts before a job fails permanently. With the queue's waits, this takes about 16 hours. */
export const TRIES = 12;
/** The longest wait between two attempts of a job with long retries. */
export const LONG_RETRY_WAIT_MS = HOUR_MS;
/** The minimum time for which a job with long retries is retried. */
export const LONG_RETRY_MS = 5 * DAY_MS;

/**
 * The time that the queue waits after this many failed attempts, in milliseconds. It grows by a factor of e, up to six
 * hours.
 */
export const waitAfterTry = (tries: number): number => Math.exp(Math.min(tries, 10)) * SECOND_MS;

/**
 * Returns the smallest number of attempts that take at least `forMs` if the waits between them are at most `longestMs`.
 * Both are in milliseconds.
 */
export function triesFor(forMs: number, longestMs: number): number {
  let tries = 1;
  for (let passed = 0; passed < forMs; tries += 1) passed += Math.min(waitAfterTry(tries), longestMs);
  return tries;
}

export const LONG_RETRY_TRIES = triesFor(LONG_RETRY_MS, LONG_RETRY_WAIT_MS);

/**
 * Returns an SQL expression for the maximum number of attempts of the task in this column. The names of tasks are
 * constants and never input.
 */
export const triesOf = (column: string, patientTasks: readonly string[]): string =>
  patientTasks.length === 0
    ? String(TRIES)
    : `case when ${column} in (${namesOf(patientTasks)}) then ${LONG_RETRY_TRIES} else ${TRIES} end`;

/** SQL that shortens the waits between the attempts of jobs with long retries, which would grow to six hours. */
export const shortenWaits = (patientTasks: readonly string[]): string => `
  select graphile_worker.reschedule_jobs(
    array_agg(j.id), run_at => now() + interval '${LONG_RETRY_WAIT_MS} milliseconds', max_attempts => ${LONG_RETRY_TRIES})
  from ${QUEUE_JOBS_AND_TASKS}
  where t.identifier in (${namesOf(patientTasks)}) and j.attempts > 0 and j.attempts < j.max_attempts and j.locked_at is null
    and j.run_at > now() + interval '${LONG_RETRY_WAIT_MS + 60_000} milliseconds'
  having count(*) > 0`;

const namesOf = (tasks: readonly string[]): string => tasks.map((task) => `'${task}'`).join(', ');
