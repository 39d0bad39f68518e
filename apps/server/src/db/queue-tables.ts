/**
 * The parts of graphile-worker's own schema that our SQL relies on. Its tables are private and can change in any
 * version. Therefore, `package.json` pins an exact version, and a test compares all of this with the schema of the
 * installed version.
 */
export const QUEUE_JOBS = 'graphile_worker._private_jobs';
export const QUEUE_TASKS = 'graphile_worker._private_tasks';
/** A join of the jobs, as `j`, with their tasks, as `t`. */
export const QUEUE_JOBS_AND_TASKS = `${QUEUE_JOBS} j join ${QUEUE_TASKS} t on t.id = j.task_id`;

/**
 * The installed version, and its latest migration. Running nodes aren't notified of a migration by a newer node, so if a new version
 * changes the tables in an incompatible way, all nodes must be stopped before the upgrade.
 */
export const QUEUE_VERSION = { release: '0.17.3', migration: 19 };

/**
 * The columns that our SQL uses, with their types. This includes the SQL functions `make_lost_jobs_again`,
 * `sweep_piece` and `delete_ended_organization`.
 */
export const QUEUE_COLUMNS = {
  _private_jobs: {
    id: 'bigint',
    task_id: 'integer',
    payload: 'json',
    run_at: 'timestamp with time zone',
    priority: 'smallint',
    is_available: 'boolean',
    attempts: 'smallint',
    max_attempts: 'smallint',
    last_error: 'text',
    key: 'text',
    locked_at: 'timestamp with time zone',
    locked_by: 'text',
    updated_at: 'timestamp with time zone',
  },
  _private_tasks: { id: 'integer', identifier: 'text' },
  _private_known_crontabs: { identifier: 'text', last_execution: 'timestamp with time zone' },
} as const;

/** The fields of a `job_spec` row, in order. */
export const QUEUE_JOB_SPEC = [
  'identifier text',
  'payload json',
  'queue_name text',
  'run_at timestamp with time zone',
  'max_attempts smallint',
  'job_key text',
  'priority smallint',
  'flags text[]',
];

/** The functions that our SQL calls, with their arguments. */
export const QUEUE_FUNCTIONS = {
  add_jobs: 'specs graphile_worker.job_spec[], job_key_preserve_run_at boolean',
  reschedule_jobs:
    'job_ids bigint[], run_at timestamp with time zone, priority integer, attempts integer, max_attempts integer',
  complete_jobs: 'job_ids bigint[]',
  force_unlock_workers: 'worker_ids text[]',
};
