import { readConfig } from '../../kernel/config.ts';
import { columns, counted, json } from '../client/shown.ts';
import type { Command } from '../command.ts';
import { withInstallation } from '../installation-database.ts';
import { retryFailedJobs } from './jobs.ts';

const HELP = `Usage: stet jobs retry [TASK…] [--json]

Retries jobs that failed for good, as listed by stet doctor: for example emails after days without an SMTP server.
A running server executes them immediately; otherwise the next server that starts does. Notifications that are
out of date by then are not sent.

Options:
  TASK…       only jobs of these tasks
  --json      print the number of jobs by task as JSON
  -h, --help  show this help

Exit codes:
  0  done, even if there was nothing to retry
  1  failed; the reason is on standard error
  2  invalid arguments

Example: stet jobs retry mail_notice send_digest
`;

export const jobsRetry: Command = {
  name: 'jobs retry',
  summary: 'Retry jobs that failed for good',
  help: HELP,
  options: { json: { type: 'boolean' } },
  positionals: { min: 0, max: 100 },
  run: async ({ positionals: tasks, options }, terminal) => {
    const found = await withInstallation(readConfig(terminal.env), (client) => retryFailedJobs(client, tasks));
    if (options['json'] === true) await terminal.out(json(found));
    else if (found.length === 0) terminal.say('There was nothing to retry.');
    else await terminal.out(columns(found.map(({ task, jobs }) => [task, `${counted(jobs, 'job')} to retry`])));
    return 0;
  },
};
