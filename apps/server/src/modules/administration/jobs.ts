import { SYSTEM_ACTOR } from '@stet/domain/audit';
import { QUEUE_JOBS_AND_TASKS } from '../../db/queue-tables.ts';
import type { Statement } from '../../kernel/database.ts';
import type { Administration } from '../../kernel/deps.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import { appendInEach } from '../audit/index.ts';
import type { By } from './people.ts';

type Changed = { id: string; task: string; org_id: string | null };

/**
 * `change` calls a function of the queue, which returns the changed jobs. The function isn't in our schema, so the
 * statement isn't declared with `statement`.
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

export type Verb = 'retry' | 'drop';
const CHANGES = {
  retry: {
    action: 'job.retried',
    statement: statementOf('retry', 'graphile_worker.reschedule_jobs($1::bigint[], run_at => now(), attempts => 0)'),
  },
  drop: { action: 'job.dropped', statement: statementOf('drop', 'graphile_worker.complete_jobs($1::bigint[])') },
} as const;

/**
 * Retries or drops the jobs with these ids in one transaction, with events in the trails of their organizations. With
 * `isBulk`, an organization has one event for each task instead of each job. Returns the changed jobs; others aren't in
 * the queue or are being executed.
 */
export async function changeJobs(
  { ownerDb }: Pick<Administration, 'ownerDb'>,
  verb: Verb,
  ids: readonly string[],
  { isBulk = false, actor = SYSTEM_ACTOR }: { isBulk?: boolean; actor?: By } = {},
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
      events.set(orgId, [...(events.get(orgId) ?? []), { actor, action, subject, data }]);
    }
    appendInEach(tx, events);
    return changed;
  });
}
