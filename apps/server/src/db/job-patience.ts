const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How often a job is tried before it is given up: by the waits of the queue, for about 16 hours. */
export const TRIES = 12;
/** Where news still matters after days, no wait between two tries is longer than this… */
export const LONGEST_WAIT_MS = HOUR_MS;
/** …and it is tried at least for so long. */
export const PATIENCE_MS = 5 * DAY_MS;

/** How long the queue waits after a job was tried so often in vain: the milliseconds double and more, up to six hours. */
export const waitAfterTry = (tries: number): number => Math.exp(Math.min(tries, 10)) * SECOND_MS;

/** How many tries with waits of at most `longestMs` go on for at least `forMs`, both in milliseconds. */
export function triesFor(forMs: number, longestMs: number): number {
  let tries = 1;
  for (let passed = 0; passed < forMs; tries += 1) passed += Math.min(waitAfterTry(tries), longestMs);
  return tries;
}

export const PATIENT_TRIES = triesFor(PATIENCE_MS, LONGEST_WAIT_MS);

/** An SQL expression for how often a job of the task in this column is tried; the names are ours, and no input. */
export const triesOf = (column: string, patientTasks: readonly string[]): string =>
  patientTasks.length === 0
    ? String(TRIES)
    : `case when ${column} in (${namesOf(patientTasks)}) then ${PATIENT_TRIES} else ${TRIES} end`;

/** Shortens the waits of patient jobs that failed: the queue itself would let them become as long as six hours. */
export const shortenWaits = (patientTasks: readonly string[]): string => `
  select graphile_worker.reschedule_jobs(
    array_agg(j.id), run_at => now() + interval '${LONGEST_WAIT_MS} milliseconds', max_attempts => ${PATIENT_TRIES})
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier in (${namesOf(patientTasks)}) and j.attempts > 0 and j.attempts < j.max_attempts and j.locked_at is null
    and j.run_at > now() + interval '${LONGEST_WAIT_MS + 60_000} milliseconds'
  having count(*) > 0`;

const namesOf = (tasks: readonly string[]): string => tasks.map((task) => `'${task}'`).join(', ');
