import { QUEUE_JOBS_AND_TASKS } from '../../db/queue-tables.ts';
import { columns, json, shown } from '../client/shown.ts';
import { type Command, CommandProblem, USAGE } from '../command.ts';
import { administer, minute } from './administration.ts';

const MAX_LISTED = 500;

const LIST_HELP = `Usage: stet admin jobs [--failed] [--json]

Lists the jobs in the queue, including emails, with the reason of their last failure. Jobs that failed for good come first,
then those whose next attempt is soonest, at most ${MAX_LISTED}. Times are in UTC. Jobs that were executed aren't in the queue.

States:
  failed    all attempts failed; retry or drop it
  running   a server is executing it
  retrying  it failed, and will be tried again at the given time
  waiting   it will be tried at the given time

Options:
  --failed    only jobs that failed for good
  --json      print the list as JSON, including what each job is about
  -h, --help  show this help
`;

type JobRow = {
  id: string;
  task: string;
  state: 'failed' | 'running' | 'retrying' | 'waiting';
  attempts: number;
  runAt: Date;
  reason: string | null;
  payload: unknown;
};

export const adminJobs: Command = {
  name: 'admin jobs',
  summary: 'List waiting and failed jobs and emails with their reason',
  help: LIST_HELP,
  options: { failed: { type: 'boolean' }, json: { type: 'boolean' } },
  run: async ({ options }, terminal) => {
    const jobs = await administer(terminal.env, async ({ client }) => {
      const { rows } = await client.query<JobRow>(
        `select j.id::text, t.identifier as task, s.state, j.attempts, j.run_at as "runAt", j.last_error as reason, j.payload
         from ${QUEUE_JOBS_AND_TASKS}
         cross join lateral (select case when j.locked_at is not null then 'running' when j.attempts >= j.max_attempts then 'failed'
                                         when j.attempts > 0 then 'retrying' else 'waiting' end as state) s
         where s.state = 'failed' or not $1
         order by s.state = 'failed' desc, j.run_at, j.id limit ${MAX_LISTED}`,
        [options['failed'] === true],
      );
      return rows;
    });
    if (options['json'] === true) await terminal.out(json(jobs));
    else if (jobs.length === 0) terminal.say('There are none.');
    else
      await terminal.out(
        columns([
          ['ID', 'TASK', 'STATE', 'ATTEMPTS', 'NEXT ATTEMPT', 'REASON'],
          ...jobs.map(({ id, task, state, attempts, runAt, reason }) => [
            id,
            task,
            state,
            String(attempts),
            state === 'failed' ? '-' : minute(runAt),
            shown(reason?.split('\n', 1)[0] ?? '-'),
          ]),
        ]),
      );
    return 0;
  },
};

const RETRY_HELP = `Usage: stet admin jobs retry ID…

Tries jobs again now, also if they failed for good, with all attempts. stet admin jobs lists the ids. To retry all jobs
that failed for good, use stet jobs retry.

Options:
  -h, --help  show this help
`;

const DROP_HELP = `Usage: stet admin jobs drop ID…

Deletes jobs, so that they are never executed: an email isn't sent, for example. stet admin jobs lists the ids. A job that
is being executed can't be dropped. The job of a waiting step or webhook delivery is created again within minutes,
because the step or delivery still waits.

Options:
  -h, --help  show this help
`;

/** A command that does something with the jobs of the given ids, and fails if one of them isn't in the queue. */
const jobsCommand = (verb: 'retry' | 'drop', summary: string, help: string, text: string): Command => ({
  name: `admin jobs ${verb}`,
  summary,
  help,
  options: {},
  positionals: { min: 1, max: 100 },
  run: async ({ positionals: ids }, terminal) => {
    const bad = ids.find((id) => !/^\d{1,18}$/.test(id));
    if (bad !== undefined) throw new CommandProblem(`admin jobs ${verb}: "${bad}" is not the id of a job.`, USAGE);
    const done = await administer(terminal.env, async ({ client }) => {
      const { rows } = await client.query<{ id: string }>(text, [ids]);
      return new Set(rows.map(({ id }) => id));
    });
    const missing = ids.filter((id) => !done.has(id));
    for (const id of done) terminal.say(`Job ${id}: ${verb === 'retry' ? 'will be tried again now' : 'dropped'}.`);
    if (missing.length > 0) throw new CommandProblem(`Not in the queue, or being executed: ${missing.join(', ')}.`);
    return 0;
  },
});

export const adminJobsRetry = jobsCommand(
  'retry',
  'Try jobs again now',
  RETRY_HELP,
  'select id::text from graphile_worker.reschedule_jobs($1::bigint[], run_at => now(), attempts => 0)',
);
export const adminJobsDrop = jobsCommand(
  'drop',
  'Delete jobs without executing them',
  DROP_HELP,
  'select id::text from graphile_worker.complete_jobs($1::bigint[])',
);
