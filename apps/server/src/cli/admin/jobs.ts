import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { QUEUE_JOBS_AND_TASKS } from '../../db/queue-tables.ts';
import type { Statement } from '../../kernel/database.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import { appendInEach } from '../../modules/audit/index.ts';
import { columns, json, shown } from '../client/shown.ts';
import { type Command, CommandProblem, USAGE } from '../command.ts';
import { type Administration, administer, minute } from './administration.ts';

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
  summary: 'List waiting and failed jobs and emails, with the reasons for failures',
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

type Changed = { id: string; task: string; org_id: string | null };

/**
 * `change` is a function of the queue that returns the changed jobs. The statement isn't declared, because the function
 * isn't in our schema.
 */
const statementOf = (verb: Verb, change: string): Statement<'ids', Changed> => ({
  name: `admin_${verb}_jobs`,
  text: `with given as (select j.id, t.identifier as task, j.payload from ${QUEUE_JOBS_AND_TASKS} where j.id = any ($1::bigint[])),
              changed as (select c.id from ${change} c)
         select given.id::text, given.task, o.id as org_id
         from changed join given using (id)
         -- Nothing is recorded any more for an organization that has ended.
         left join organizations o on not has_ended(o.id) and o.id = coalesce(
           (given.payload ->> 'orgId')::uuid,
           selected_org((select u.id from users u where u.id = (given.payload ->> 'userId')::uuid or u.email = given.payload ->> 'email' limit 1))
         )`,
  params: ['ids'],
  list: null,
  each: null,
  row: null,
});

type Verb = 'retry' | 'drop';
const CHANGES = {
  retry: {
    action: 'job.retried',
    statement: statementOf('retry', 'graphile_worker.reschedule_jobs($1::bigint[], run_at => now(), attempts => 0)'),
  },
  drop: { action: 'job.dropped', statement: statementOf('drop', 'graphile_worker.complete_jobs($1::bigint[])') },
} as const;

/**
 * Retries or drops the jobs with these ids in one transaction, with events in the trails of their organizations. With
 * `isBulk`, an organization gets one event per task instead of one per job. Returns the changed jobs. All others aren't
 * in the queue or are being executed.
 */
export async function changeJobs(
  { ownerDb }: Pick<Administration, 'ownerDb'>,
  verb: Verb,
  ids: readonly string[],
  { isBulk = false }: { isBulk?: boolean } = {},
): Promise<{ id: string; task: string }[]> {
  const { action, statement } = CHANGES[verb];
  return ownerDb.transaction(null, async (tx) => {
    const changed = await tx.many(statement, { ids });
    const groups = new Map<string, { orgId: string; task: string; ids: string[] }>();
    for (const { id, task, org_id: orgId } of changed) {
      if (orgId === null) continue;
      const key = `${orgId} ${isBulk ? task : id}`;
      const group = groups.get(key) ?? { orgId, task, ids: [] };
      group.ids.push(id);
      groups.set(key, group);
    }
    const events = new Map<string, EventOf<typeof action>[]>();
    for (const { orgId, task, ids: jobs } of groups.values()) {
      const subject = { type: 'organization' as const, id: orgId };
      const data = { ...(isBulk ? { jobs: jobs.length } : { job: jobs[0] }), task, by: 'administrator' };
      events.set(orgId, [...(events.get(orgId) ?? []), { actor: SYSTEM_ACTOR, action, subject, data }]);
    }
    appendInEach(tx, events);
    return changed;
  });
}

/** A command that acts on the jobs with the given ids, and fails if one of them isn't in the queue. */
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

export const adminJobsRetry = jobsCommand('retry', 'Retry jobs immediately', RETRY_HELP);
export const adminJobsDrop = jobsCommand('drop', 'Delete jobs without executing them', DROP_HELP);
