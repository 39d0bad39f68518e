import { type Verb, changeJobs } from '../../modules/administration/jobs.ts';
import { type JobRow, listJobs } from '../../modules/administration/lists.ts';
import { columns, json, shown } from '../client/shown.ts';
import { type Command, CommandProblem, USAGE } from '../command.ts';
import { administer, minute } from './administration.ts';

const MAX_LISTED = 500;

const LIST_HELP = `Usage: stet admin jobs [--failed] [--json]

Lists the jobs in the queue, including emails, and why each failed the last time. Jobs that failed for good come first,
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

export const adminJobs: Command = {
  name: 'admin jobs',
  summary: 'List waiting and failed jobs and emails, with the reasons for failures',
  help: LIST_HELP,
  options: { failed: { type: 'boolean' }, json: { type: 'boolean' } },
  run: async ({ options }, terminal) => {
    const states: JobRow['state'][] =
      options['failed'] === true ? ['failed'] : ['failed', 'running', 'retrying', 'waiting'];
    const jobs = await administer(terminal.env, ({ query }) => listJobs(query, { states, limit: MAX_LISTED }));
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

Retries jobs immediately, with the full number of attempts, even if they failed for good. stet admin jobs lists the ids.
To retry all jobs that failed for good, use stet jobs retry. The audit trail of the job's organization records it.

Options:
  -h, --help  show this help
`;

const DROP_HELP = `Usage: stet admin jobs drop ID…

Deletes jobs, so that they are never executed: an email isn't sent, for example. stet admin jobs lists the ids. A job that
is being executed can't be dropped. The job of a waiting step or webhook delivery is created again within minutes,
because the step or delivery still waits. The audit trail of the organization that a job belongs to records it.

Options:
  -h, --help  show this help
`;

/**
 * A command that changes the jobs with the given ids. If some of them aren't in the queue or are being executed, it
 * changes the others and fails.
 */
const jobsCommand = (verb: Verb, summary: string, help: string): Command => ({
  name: `admin jobs ${verb}`,
  summary,
  help,
  options: {},
  positionals: { min: 1, max: 100 },
  run: async ({ positionals: ids }, terminal) => {
    const bad = ids.find((id) => !/^\d{1,18}$/.test(id));
    if (bad !== undefined) throw new CommandProblem(`admin jobs ${verb}: "${bad}" is not the id of a job.`, USAGE);
    const changed = await administer(terminal.env, (admin) => changeJobs(admin, verb, ids));
    const done = new Set(changed.map(({ id }) => id));
    const missing = ids.filter((id) => !done.has(id));
    for (const id of done) terminal.say(`Job ${id}: ${verb === 'retry' ? 'will be tried again now' : 'dropped'}.`);
    if (missing.length > 0) throw new CommandProblem(`Not in the queue, or being executed: ${missing.join(', ')}.`);
    return 0;
  },
});

export const adminJobsRetry = jobsCommand('retry', 'Retry single jobs immediately, by id', RETRY_HELP);
export const adminJobsDrop = jobsCommand('drop', 'Delete jobs without executing them', DROP_HELP);
