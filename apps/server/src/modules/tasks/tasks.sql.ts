import type { Priority } from '@stet/contract';
import { HELPERS } from '@stet/domain/runs';
import type { StepType } from '@stet/domain/steps';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

const taskRow = z.object({
  run_id: z.uuid(),
  step_id: z.string(),
  who: z.string(),
  only_reject: z.boolean(),
  is_decision: z.boolean(),
  due_at: z.date().nullable(),
  at_risk_at: z.date().nullable(),
  title: z.string(),
  type: z.custom<StepType>(),
  assignee: z.string(),
  activated_at: z.date().nullable(),
  run_name: z.string(),
  priority: z.custom<Priority>(),
  workflow_key: z.string(),
  workflow_title: z.string(),
  now: z.date(),
});
export type TaskRow = z.output<typeof taskRow>;

// The names in $2. If only owners and admins can help, others don't have the name for helpers.
const names = `(
        select name from unnest($2::text[]) name
        where name <> '${HELPERS}' or 'permission:step.stand_in' = any($2::text[]) or (select o.editors_may_help from organizations o where o.id = $1)
      ) mine`;
// True if the task excludes one of the people in $3. If the task names an address, only the person (the first one in
// $3) is compared, and not the others whose actions count as theirs.
const isExcluded = `t.except_ids && (case when t.who like '%@%' then ($3::uuid[])[1:1] else $3::uuid[] end)`;
const firstActive = `(select s.first_activated_at from run_steps s
   where s.org_id = $1 and s.run_id = t.run_id and s.step_id = t.step_id and t.is_decision and s.type = 'approval')`;
const startedAt = `(select r.created_at from runs r where r.org_id = $1 and r.id = t.run_id)`;
const isStrict = `(select o.strict from organizations o where o.id = $1)`;
// Those who alone vouch for one of the people behind the work, and the unproved managers for whom only one of all of them
// vouches. They matter only under strict review.
const behindWork = 't.doer_ids || t.giver_ids || t.uncertain_doer_ids';
const tied = `(case when ${isStrict} then tied_by_vouchers($1, ${behindWork}, t.run_id, (select unproved_managers($1))) else '{}' end)`;
// Under strict review, powers from these people don't count either.
const strictIds = `t.giver_ids || t.uncertain_doer_ids || ${tied}`;
// True if the person has the membership or role through which the task is theirs, but their approval doesn't count
// because of who gave it to them.
const isBarredMember = `(t.who like 'group:%' and cardinality(
    counted_members($1, array[t.who], ($3::uuid[])[1], ${firstActive}, ${startedAt}, t.doer_ids, ${strictIds})) = 0
  or (t.who like 'role:%' or t.who = 'permission:step.stand_in') and t.is_decision
    and not role_counts($1, ($3::uuid[])[1], ${firstActive}, ${startedAt}, t.doer_ids, ${strictIds}))`;
// True if the task excludes nobody in $3, or if the person can at least reject. If the task is a decision, the account
// must also be able to decide ($4).
const isTheirs = `((not ${isExcluded} or ($3::uuid[])[1] = any(t.reject_ids)) and ($4 or not t.is_decision))`;
// An approval step that names other people is a task for owners and admins only if too few of these people can decide
// it, or once it is long overdue.
const isOpenIn = (task: string) =>
  `((${task}.opens_at is null or ${task}.opens_at <= clock_timestamp())
    and (${task}.who <> 'permission:step.stand_in' or ${task}.opens_at is not null or ${task}.overdue_at <= clock_timestamp()
         or is_too_few(${task}.org_id, ${task}.run_id, ${task}.step_id)))`;
const isOpen = isOpenIn('t');
// If a person gave themselves the role that an approval step names, the step is their task only while stand-ins can
// decide it.
const isNamed = (
  byOwnHand: string,
) => `(not ${byOwnHand}::boolean or t.who not like 'role:%' or t.otherwise is distinct from 'permission:step.stand_in'
          or exists (select from run_tasks o where o.org_id = $1 and o.run_id = t.run_id and o.step_id = t.step_id and o.who = t.otherwise
                     and ${isOpenIn('o')}))`;

const isOfWorkflows = (keys: string): string =>
  `(${keys}::text[] is null or exists (select from runs w where w.org_id = $1 and w.id = t.run_id and w.workflow_key = any(${keys})))`;

const listed = (isMine: string): string => `
    with mine as (
      select t.* from ${names} cross join lateral (
        select t.run_id, t.step_id, t.due_at, t.at_risk_at, t.who, t.is_decision, (${isExcluded} or ${isBarredMember}) as only_reject from run_tasks t
        where t.org_id = $1 and t.who = name and ${isOpen} and (t.due_at, t.run_id, t.step_id) > ($6::timestamptz, $7::uuid, $8::text)
          and ${isTheirs} and ${isMine}
        order by t.due_at, t.run_id, t.step_id limit $5
      ) t
    ), page as (
      select distinct on (due_at, run_id, step_id) * from mine
      order by due_at, run_id, step_id, only_reject, who like 'permission:%' or who = '${HELPERS}',
               who not like '%@%' and who not like 'user:%', who limit $5
    )
    select p.run_id, p.step_id, p.who, p.only_reject, p.is_decision, nullif(p.due_at, 'infinity') as due_at, p.at_risk_at, s.title, s.type, s.assignee,
           s.activated_at, r.name as run_name, r.priority, r.workflow_key, r.workflow_title, clock_timestamp() as now
    from page p
    join run_steps s on s.org_id = $1 and s.run_id = p.run_id and s.step_id = p.step_id
    join runs r on r.org_id = $1 and r.id = p.run_id
    order by p.due_at, p.run_id, p.step_id`;

/**
 * Lists a page of the tasks for the names in runs of these workflows (null for all), after the cursor, sorted by due
 * time. Tasks without a due time come last. A step that waits for a person under two names is one task. For each name,
 * stops reading the index once it has enough tasks for the page.
 */
export const listTasks = statement({
  name: 'list_tasks',
  params: [
    'orgId',
    'names',
    'people',
    'canDecide',
    'limit',
    'afterDue',
    'afterRun',
    'afterStep',
    'byOwnHand',
    'workflowKeys',
  ],
  row: taskRow,
  text: listed(`${isNamed('$9')} and ${isOfWorkflows('$10')}`),
});

/**
 * Like `listTasks`, for the delegate of the person with these names. Lists decisions if `decisions` contains true, and
 * other tasks if it contains false, in these workflows (null for all). Omits tasks that exclude the delegate, who never
 * stands in for others.
 */
export const listDelegatedTasks = statement({
  name: 'list_delegated_tasks',
  params: [
    'orgId',
    'names',
    'people',
    'canDecide',
    'limit',
    'afterDue',
    'afterRun',
    'afterStep',
    'byOwnHand',
    'delegates',
    'decisions',
    'workflowKeys',
  ],
  row: taskRow,
  text: listed(
    `not t.except_ids && $10::uuid[] and t.is_decision = any($11::boolean[])
          and (not $9::boolean or t.who not like 'role:%' or t.otherwise is distinct from 'permission:step.stand_in')
          and ${isOfWorkflows('$12')}`,
  ),
});

/** Counts the tasks for the names and those that are overdue, at most `most`, and finds the earliest due time. */
export const countTasks = statement({
  name: 'count_tasks',
  params: ['orgId', 'names', 'people', 'canDecide', 'most', 'byOwnHand'],
  row: z.object({ count: z.number(), overdue: z.number(), next_due_at: z.date().nullable() }),
  text: `
    with mine as (
      select distinct t.run_id, t.step_id, t.due_at from ${names} cross join lateral (
        select t.run_id, t.step_id, t.due_at from run_tasks t
        where t.org_id = $1 and t.who = name and ${isOpen} and ${isTheirs} and ${isNamed('$6')}
        order by t.due_at, t.run_id, t.step_id limit $5
      ) t
      order by t.due_at limit $5
    )
    select count(*) as count, count(*) filter (where due_at < clock_timestamp()) as overdue,
           nullif(min(due_at), 'infinity') as next_due_at
    from mine`,
});

// A partial index contains the same actions.
const DONE = [
  'step.completed',
  'step.submitted',
  'step.approved',
  'step.rejected',
  'step.returned',
  'draft.approved',
  'draft.changes_requested',
] as const;

const doneRow = z.object({
  seq: z.number(),
  at: z.date(),
  action: z.enum(DONE),
  title: z.string(),
  workflow_title: z.string(),
  run_id: z.uuid().nullable(),
  run_name: z.string().nullable(),
  draft_key: z.string().nullable(),
  draft_id: z.uuid().nullable(),
});
export type DoneRow = z.output<typeof doneRow>;

/**
 * Lists a page of a person's completed tasks, newest first. An approval that completes its step is one entry. Omits
 * events from which personal data was erased. The preceding event is read by its number, because PostgreSQL would read
 * all approvals of the organization for an `exists`.
 */
export const listDone = statement({
  name: 'list_done_tasks',
  params: ['orgId', 'userId', 'limit', 'before'],
  row: doneRow,
  text: `
    with page as (
      select e.seq, e.at, e.action, e.run_id, e.payload::json -> 'data' as data, case when e.run_id is null then e.subject_id::uuid end as draft_id
      from audit_events e
      where e.org_id = $1 and e.actor = $2 and e.action in (${DONE.map((action) => `'${action}'`).join(', ')})
        and e.payload is not null and e.seq < coalesce($4::bigint, 9223372036854775807)
        and not (e.action = 'step.completed' and coalesce((
          select p.action = 'step.approved' and p.actor = e.actor and p.run_id = e.run_id
          from audit_events p where p.org_id = e.org_id and p.seq = e.seq - 1), false))
      order by e.seq desc limit $3
    )
    select p.seq, p.at, p.action, coalesce(s.title, v.metadata ->> 'title', p.data ->> 'key', '') as title,
           coalesce(r.workflow_title, w.title, '') as workflow_title, r.id as run_id, r.name as run_name, w.key as draft_key, v.id as draft_id
    from page p
    left join runs r on r.org_id = $1 and r.id = p.run_id
    left join run_steps s on s.org_id = $1 and s.run_id = p.run_id and s.step_id = p.data ->> 'stepId'
    left join workflow_versions v on v.org_id = $1 and v.id = p.draft_id
    left join workflows w on w.org_id = $1 and w.id = v.workflow_id
    order by p.seq desc`,
});
