import { columns, counted, json } from '../client/shown.ts';
import type { Command } from '../command.ts';
import { type Administration, administer } from '../admin/administration.ts';
import { changeJobs } from '../../modules/administration/jobs.ts';
import { failedJobIds } from './jobs.ts';

/** Number of jobs that one transaction retries. */
const PIECE = 500;

const HELP = `Usage: stet jobs retry [TASK…] [--json]

Retries jobs that failed for good, as listed by stet doctor: for example emails after days without an SMTP server.
A running server executes them immediately; otherwise the next server that starts does. Notifications that are
out of date by then are not sent. The audit trails of the jobs' organizations record how many were retried.

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
    const counts = await administer(terminal.env, (admin) => retryAll(admin, tasks));
    const found = [...counts].map(([task, jobs]) => ({ task, jobs })).toSorted((a, b) => (a.task < b.task ? -1 : 1));
    if (options['json'] === true) await terminal.out(json(found));
    else if (found.length === 0) terminal.say('There was nothing to retry.');
    else await terminal.out(columns(found.map(({ task, jobs }) => [task, `${counted(jobs, 'job')} to retry`])));
    return 0;
  },
};

/** Retries the jobs in pieces. Returns the number of retried jobs by task. */
async function retryAll(admin: Administration, tasks: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (;;) {
    const ids = await failedJobIds(admin.client, tasks, PIECE);
    const changed = ids.length === 0 ? [] : await changeJobs(admin, 'retry', ids, { isBulk: true });
    for (const { task } of changed) counts.set(task, (counts.get(task) ?? 0) + 1);
    // Retried jobs are no longer in the list, so the loop ends. It also ends if another command has just changed all
    // listed jobs.
    if (changed.length === 0) return counts;
  }
}
