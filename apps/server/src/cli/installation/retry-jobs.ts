import { readConfig } from '../../kernel/config.ts';
import { columns, counted, json } from '../client/shown.ts';
import type { Command } from '../command.ts';
import { withInstallation } from '../installation-database.ts';
import { retryGivenUp } from './jobs.ts';

const HELP = `Usage: stet jobs retry [TASK…] [--json]

Runs again what the job queue has given up, as stet doctor lists it: mails after days without an SMTP server, for example. The
server does it at once, or as soon as one starts. What is over by then is not told any more.

Options:
  TASK…       jobs of these tasks alone
  --json      how many of which task, as JSON
  -h, --help  show this

Exit codes:
  0  done, also where nothing was given up
  1  failed; standard error says why
  2  the arguments were not understood

Example: stet jobs retry mail_notice send_digest
`;

export const jobsRetry: Command = {
  name: 'jobs retry',
  summary: 'Run again what the job queue has given up',
  help: HELP,
  options: { json: { type: 'boolean' } },
  positionals: { min: 0, max: 100 },
  run: async ({ positionals: tasks, options }, terminal) => {
    const found = await withInstallation(readConfig(terminal.env), (client) => retryGivenUp(client, tasks));
    if (options['json'] === true) await terminal.out(json(found));
    else if (found.length === 0) terminal.say('Nothing was given up.');
    else await terminal.out(columns(found.map(({ task, jobs }) => [task, `${counted(jobs, 'job')} to run again`])));
    return 0;
  },
};
