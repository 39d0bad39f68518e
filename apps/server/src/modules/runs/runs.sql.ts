import type { Priority } from '@stet/contract';
import type { ApprovedWork, RoleGift } from '@stet/domain/access';
import { NOTES_IN_HISTORY, type RunState, type RunStatus } from '@stet/domain/runs';
import type { Step } from '@stet/domain/steps';
import type { WorkflowMetadata } from '@stet/domain/workflows';
import type { WorkCalendar } from '@stet/domain/sla';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { IS_SMALL } from '../../kernel/small-organization.ts';
import { type EmergencyRow, emergencyOf } from '../workflows/index.ts';
import type { RunListFacts } from './list-facts.ts';

export const findLiveVersion = statement({
  name: 'find_live_version',
  params: ['orgId', 'key'],
  row: z.object({
    workflow_id: z.uuid(),
    archived_at: z.date().nullable(),
    version_id: z.uuid().nullable(),
    version: z.number().nullable(),
    metadata: z.custom<WorkflowMetadata | null>(),
    steps: z.custom<Step[] | null>(),
    emergency: z.custom<EmergencyRow>().nullable(),
    content_hash: z.string().nullable(),
    working_hours: z.custom<WorkCalendar | null>(),
    editors_may_help: z.boolean(),
    strict: z.boolean(),
    is_small: z.boolean(),
  }),
  // The share lock prevents the workflow from being archived or deleted between this read and the start of the run.
  text: `select w.id as workflow_id, w.archived_at, v.id as version_id, v.version, v.metadata, v.steps, v.content_hash,
                ${emergencyOf('v')} as emergency, o.working_hours, o.editors_may_help, o.strict, ${IS_SMALL} as is_small
         from workflows w
         join organizations o on o.id = w.org_id
         left join workflow_versions v on v.org_id = w.org_id and v.id = w.live_version_id
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null
         for share of w`,
});

/** The database's time in epoch milliseconds, for due times and the history. */
export const readClock = statement({
  name: 'read_clock',
  params: [],
  row: z.object({ now: z.number() }),
  text: `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
});

export const listed = `
  r.id, r.workflow_key, r.workflow_title, r.version, r.name, r.description, r.priority, r.status, r.summary, r.steps_total,
  r.steps_completed, r.target_ms, r.has_clock, r.at_risk_at, r.breach_at, r.clock_stopped_at, r.created_at, r.ended_at,
  r.next_due_at, r.sort_name`;

export const listedRow = z.object({
  id: z.uuid(),
  workflow_key: z.string(),
  workflow_title: z.string(),
  version: z.number(),
  name: z.string(),
  description: z.string().nullable(),
  priority: z.custom<Priority>(),
  status: z.custom<RunStatus>(),
  summary: z.custom<RunListFacts>(),
  steps_total: z.number(),
  steps_completed: z.number(),
  target_ms: z.number().nullable(),
  has_clock: z.boolean(),
  at_risk_at: z.date().nullable(),
  breach_at: z.date().nullable(),
  clock_stopped_at: z.date().nullable(),
  created_at: z.date(),
  ended_at: z.date().nullable(),
  next_due_at: z.date().nullable(),
  sort_name: z.string(),
});
export type ListedRunRow = z.output<typeof listedRow>;

const runRow = listedRow
  .pick({
    id: true,
    workflow_key: true,
    workflow_title: true,
    version: true,
    name: true,
    description: true,
    priority: true,
    status: true,
    created_at: true,
  })
  .extend({
    revision: z.number(),
    state: z.custom<RunState>(),
    metadata: z.custom<WorkflowMetadata>(),
    steps: z.custom<Step[]>(),
    emergency: z.custom<EmergencyRow>().nullable(),
    version_id: z.uuid(),
    content_hash: z.string(),
    working_hours: z.custom<WorkCalendar | null>(),
    editors_may_help: z.boolean(),
    strict: z.boolean(),
    is_small: z.boolean(),
  });
export type RunRow = z.output<typeof runRow>;

const whole = (of: string, more = ''): string => `
  select r.id, r.workflow_key, r.workflow_title, r.version, r.name, r.description, r.priority, r.status, r.created_at, r.revision, r.state, v.metadata, v.steps, v.id as version_id, v.content_hash,
         ${emergencyOf('v', 'r.created_at')} as emergency, o.working_hours, o.editors_may_help, o.strict,
         ${IS_SMALL} as is_small${more}
  from ${of}
  join workflow_versions v on v.org_id = r.org_id and v.id = r.version_id
  join organizations o on o.id = r.org_id
  where r.org_id = $1`;
const one = `${whole('runs r')} and r.id = $2`;

export const findRun = statement({ name: 'find_run', params: ['orgId', 'runId'], row: runRow, text: one });
/** The states of these runs. Empty unless the organization has strict review. */
export const listStrictRuns = statement({
  name: 'list_strict_runs',
  params: ['orgId', 'runIds'],
  row: runRow.pick({ id: true, version_id: true, state: true }),
  text: `select r.id, r.version_id, r.state from runs r
         join organizations o on o.id = r.org_id
         where r.org_id = $1 and r.id = any($2::uuid[]) and o.strict`,
});
/** The steps of the versions of these runs, each version once. Empty unless the organization has strict review. */
export const listStrictVersions = statement({
  name: 'list_strict_versions',
  params: ['orgId', 'runIds'],
  row: z.object({ id: z.uuid(), steps: z.custom<Step[]>() }),
  text: `select v.id, v.steps from workflow_versions v
         join organizations o on o.id = v.org_id
         where v.org_id = $1 and o.strict
           and v.id in (select r.version_id from runs r where r.org_id = $1 and r.id = any($2::uuid[]))`,
});
/** Reads and locks a run. Other writers wait. The ids are also compared in a separate condition, as in `findAnswer`. */
export const lockRun = statement({
  name: 'lock_run',
  params: ['orgId', 'runId'],
  each: ['runId'],
  row: runRow.extend({ nth: z.number() }),
  text: `${whole('unnest($2::uuid[]) with ordinality asked (id, nth) join runs r on r.id = asked.id', ', asked.nth')}
           and r.id = any($2::uuid[])
         order by r.id
         for update of r`,
});

// The columns that `columnsOf` derives from a run's state.
const derived = `status text, state jsonb, summary jsonb, steps_completed int, target_ms bigint, has_clock boolean,
  at_risk_at timestamptz, breach_at timestamptz, clock_stopped_at timestamptz, ended_at timestamptz, next_crossing_at timestamptz,
  sla_state text, rejected boolean, next_due_at timestamptz`;
const derivedNames = derived
  .replaceAll(/\s+/g, ' ')
  .split(', ')
  .map((column) => column.split(' ')[0] ?? '');

export const insertRuns = statement({
  name: 'insert_runs',
  params: ['orgId', 'runs'],
  list: 'runs',
  text: `insert into runs (org_id, id, workflow_id, workflow_key, workflow_title, version_id, version, name, description, priority,
                           started_by, created_at, steps_total, env, ${derivedNames.join(', ')})
         select $1, n.id, n.workflow_id, n.workflow_key, n.workflow_title, n.version_id, n.version, n.name, n.description, n.priority,
                n.started_by, n.created_at, n.steps_total, run_env(n.name), ${derivedNames.map((name) => `n.${name}`).join(', ')}
         from jsonb_to_recordset($2::jsonb)
           as n (id uuid, workflow_id uuid, workflow_key text, workflow_title text, version_id uuid, version int, name text,
                 description text, priority text, started_by uuid, created_at timestamptz, steps_total int, ${derived})`,
});

// The planner doesn't know that there are only a few rows. The separate list of ids makes it use the primary key.
export const saveRuns = statement({
  name: 'save_runs',
  params: ['orgId', 'runs'],
  list: 'runs',
  text: `with saved as materialized (
           select * from jsonb_to_recordset($2::jsonb) as s (id uuid, ${derived})
         )
         update runs r
         set ${derivedNames.map((name) => `${name} = s.${name}`).join(', ')}, revision = r.revision + 1
         from saved s
         where r.org_id = $1 and r.id = s.id and r.id = any(array(select id from saved))`,
});

export const savePriority = statement({
  name: 'save_run_priority',
  params: ['orgId', 'id', 'priority'],
  text: `update runs set priority = $3 where org_id = $1 and id = $2`,
});

/** Like `lockRun`, but returns no row if another transaction has locked the run. */
export const lockRunIfFree = statement({
  name: 'lock_run_if_free',
  params: ['orgId', 'runId'],
  row: runRow,
  text: `${one} for update of r skip locked`,
});

/**
 * Saves the rows of steps that have been active, and replaces the tasks of runs: the people, groups and roles that each
 * step is waiting for. Unchanged tasks aren't written.
 */
export const saveStepsAndTasks = statement({
  name: 'save_steps_and_tasks',
  params: ['orgId', 'runs'],
  list: 'runs',
  text: `with saved as materialized (
           select * from jsonb_to_recordset($2::jsonb) as s (run_id uuid, steps jsonb, tasks jsonb)
         ), wanted as materialized (
           select s.run_id, t.step_id, t.who, coalesce(t.due_at, 'infinity') as due_at, t.at_risk_at, t.except_ids, t.reject_ids, t.doer_ids, t.uncertain_doer_ids, t.giver_ids, t.needs,
                  t.otherwise, t.opens_at, t.is_decision
           from saved s
           cross join lateral jsonb_to_recordset(s.tasks)
             as t (step_id text, who text, due_at timestamptz, at_risk_at timestamptz, except_ids uuid[], reject_ids uuid[], doer_ids uuid[], uncertain_doer_ids uuid[], giver_ids uuid[], needs integer,
                   otherwise text, opens_at timestamptz, is_decision boolean)
         ), changed_steps as (
           insert into run_steps (org_id, run_id, step_id, activation, state, title, type, assignee, activated_at, due_at, first_activated_at, held_by)
           select $1, s.run_id, t.step_id, t.activation, t.state, t.title, t.type, t.assignee, t.activated_at, t.due_at, t.activated_at, t.held_by
           from saved s
           cross join lateral jsonb_to_recordset(s.steps)
             as t (step_id text, activation int, state text, title text, type text, assignee text, activated_at timestamptz, due_at timestamptz, held_by uuid[])
           on conflict (org_id, run_id, step_id) do update
           set activation = excluded.activation, state = excluded.state, assignee = excluded.assignee,
               activated_at = excluded.activated_at, due_at = excluded.due_at, held_by = excluded.held_by
         ), gone as (
           delete from run_tasks t
           where t.org_id = $1 and t.run_id = any(array(select run_id from saved))
             and not exists (select from wanted w where w.run_id = t.run_id and w.step_id = t.step_id and w.who = t.who)
         )
         insert into run_tasks as t (org_id, run_id, step_id, who, due_at, at_risk_at, except_ids, reject_ids, doer_ids, uncertain_doer_ids, giver_ids, needs, otherwise, opens_at, is_decision,
                                     started_at, priority_rank, sort_name)
         select $1, w.run_id, w.step_id, w.who, w.due_at, w.at_risk_at, w.except_ids, w.reject_ids, coalesce(w.doer_ids, '{}'), coalesce(w.uncertain_doer_ids, '{}'), coalesce(w.giver_ids, '{}'), w.needs, w.otherwise, w.opens_at, w.is_decision,
                r.created_at, r.priority_rank, r.sort_name
         from wanted w
         join runs r on r.org_id = $1 and r.id = w.run_id and r.id = any(array(select run_id from saved))
         on conflict (org_id, run_id, step_id, who) do update
         set due_at = excluded.due_at, at_risk_at = excluded.at_risk_at, except_ids = excluded.except_ids,
             reject_ids = excluded.reject_ids, doer_ids = excluded.doer_ids, uncertain_doer_ids = excluded.uncertain_doer_ids, giver_ids = excluded.giver_ids, needs = excluded.needs, otherwise = excluded.otherwise, opens_at = excluded.opens_at,
             is_decision = excluded.is_decision, priority_rank = excluded.priority_rank
         where (t.due_at, t.at_risk_at, t.except_ids, t.reject_ids, t.doer_ids, t.uncertain_doer_ids, t.giver_ids, t.needs, t.otherwise, t.opens_at, t.is_decision, t.priority_rank)
           is distinct from (excluded.due_at, excluded.at_risk_at, excluded.except_ids, excluded.reject_ids, excluded.doer_ids, excluded.uncertain_doer_ids, excluded.giver_ids, excluded.needs, excluded.otherwise, excluded.opens_at, excluded.is_decision, excluded.priority_rank)`,
});

const namedBy = `array(select n.who from run_tasks n where n.org_id = $1 and n.run_id = t.run_id and n.step_id = t.step_id)`;

/**
 * If too few of the people named by a step can still do it, this also gives the task to those who can act for them. If
 * a step needs one person, isn't a decision, excludes nobody, and names people only by address or role, any named
 * member can do it, so no accounts have to be compared.
 */
export const openTasks = statement({
  name: 'open_run_tasks',
  params: ['orgId', 'runs'],
  list: 'runs',
  text: `insert into run_tasks as opened (org_id, run_id, step_id, who, due_at, at_risk_at, except_ids, reject_ids, is_decision, doer_ids, uncertain_doer_ids, giver_ids)
         select distinct on (t.run_id, t.step_id)
                t.org_id, t.run_id, t.step_id, t.otherwise, t.due_at, t.at_risk_at, t.except_ids, t.reject_ids, t.is_decision, t.doer_ids, t.uncertain_doer_ids, t.giver_ids
         from run_tasks t
         where t.org_id = $1 and t.run_id = any(array(select jsonb_array_elements_text($2::jsonb)::uuid)) and t.otherwise is not null
           and case
             when t.needs = 1 and not t.is_decision and t.except_ids = '{}' and t.otherwise <> 'permission:step.stand_in'
               and not exists (select from unnest(${namedBy}) name where name like 'group:%' or name like 'user:%') then
               not exists (select from memberships m where m.org_id = $1 and m.role = any(array(select substr(name, 6) from unnest(${namedBy}) name where name like 'role:%')))
               and not exists (select from users u join memberships m on m.org_id = $1 and m.user_id = u.id where u.email = any(${namedBy}))
               and not exists (select from former_addresses f join memberships m on m.org_id = $1 and m.user_id = f.user_id where f.email = any(${namedBy}))
             else t.needs > count_able_for_step($1, t.run_id, t.step_id, t)
           end
         on conflict (org_id, run_id, step_id, who) do update set opens_at = null, overdue_at = opened.opens_at
           where opened.opens_at is not null`,
});

/** Returns those of the given actions on steps (a JSON list) for which too few of the named people can decide. */
export const findTooFewNamed = statement({
  name: 'find_too_few_named',
  params: ['orgId', 'runId', 'steps'],
  row: z.object({ step_id: z.string(), act: z.enum(['vote', 'skip']) }),
  text: `select s.step_id, s.act
         from jsonb_to_recordset($3::jsonb)
           as s (step_id text, act text, who text[], except_ids uuid[], doer_ids uuid[], uncertain_doer_ids uuid[], giver_ids uuid[], voter_ids uuid[], needs integer, is_approval boolean)
         where s.needs > count_able_people($1, s.who, s.except_ids, true, s.needs, s.is_approval, (
           select r.first_activated_at from run_steps r where r.org_id = $1 and r.run_id = $2 and r.step_id = s.step_id
         ), (select r.created_at from runs r where r.org_id = $1 and r.id = $2), s.doer_ids, s.giver_ids, s.uncertain_doer_ids, $2, s.voter_ids)`,
});

/** The times when steps of a run first became active. */
export const listFirstActivations = statement({
  name: 'list_first_activations',
  params: ['orgId', 'runId', 'stepIds'],
  row: z.object({ step_id: z.string(), first_activated_at: z.date() }),
  text: `select step_id, date_trunc('milliseconds', first_activated_at) as first_activated_at from run_steps
         where org_id = $1 and run_id = $2 and step_id = any ($3::text[]) and first_activated_at is not null`,
});

/**
 * Finds who gave a person their role since a run started, and through whom. `additions` contains the same for their
 * memberships in the groups with these slugs. `doers` is a JSON list with one list of ids for each step: the people who
 * are certainly behind the work. `barred` contains the powers that don't count for each of these lists.
 */
export const findPowersGiven = statement({
  name: 'find_powers_given',
  params: ['orgId', 'userId', 'started', 'slugs', 'doers'],
  row: z.object({
    role_gifts: z.custom<RoleGift[]>(),
    additions: z.custom<Record<string, { addedBy: string[]; through: string[] }>>(),
    barred: z.custom<ApprovedWork['barred'][]>(),
  }),
  text: `select
      (select coalesce(json_agg(json_build_object(
                'at', floor(extract(epoch from h.since) * 1000)::bigint, 'givenBy', given.by, 'giverName', coalesce(u.name, ''),
                'through', people_behind_gifts($1, given.by, $3), 'isGivenBack', had_current_role($1, $2, $3)) order by h.since), '[]')
       from role_gifts($1, $2, $3) h left join users u on u.id = h.given_by
       cross join lateral (select possible_givers(h) as by) given) as role_gifts,
      (select coalesce(json_object_agg(g.slug, json_build_object(
                'addedBy', added.by, 'through', people_behind_gifts($1, added.by, $3))), '{}')
       from group_members m join groups g on g.org_id = m.org_id and g.id = m.group_id
       cross join lateral (select possible_adders(m) as by) added
       where m.org_id = $1 and m.user_id = $2 and g.slug = any ($4::text[])) as additions,
      (select coalesce(json_agg(json_build_object(
                'role', is_role_barred($1, $2, $3, sure.ids),
                'groups', array(
                  select g.slug from group_members m join groups g on g.org_id = m.org_id and g.id = m.group_id
                  where m.org_id = $1 and m.user_id = $2 and g.slug = any ($4::text[])
                    and is_membership_barred($1, m, $3, sure.ids))) order by d.n), '[]')
       from json_array_elements($5::json) with ordinality d (ids, n)
       cross join lateral (select array(select json_array_elements_text(d.ids))::uuid[] as ids) sure) as barred`,
});

/**
 * For each list of ids in `people` (JSON), finds the only managers who vouch for those of these accounts that acted
 * unproved in the run (`vouchers`), with all accounts of their mailboxes, and the accounts of current and former managers
 * for which only one of these people and managers vouches (`vouched`).
 */
export const listTiedByVouchers = statement({
  name: 'list_tied_by_vouchers',
  params: ['orgId', 'people', 'runId'],
  row: z.object({ vouchers: z.custom<string[]>(), vouched: z.custom<string[]>() }),
  text: `select alone.vouchers, only_vouched($1, behind.ids || alone.vouchers, (select unproved_managers($1))) as vouched
         from json_array_elements($2::json) with ordinality d (ids, n)
         cross join lateral (select array(select json_array_elements_text(d.ids))::uuid[] as ids offset 0) behind
         cross join lateral (select only_vouchers($1, behind.ids, $3) as vouchers offset 0) alone order by d.n`,
});

/** The current proofs of accounts: whether there is one, and who alone vouches for the account. */
export const listProofs = statement({
  name: 'list_proofs_of_accounts',
  params: ['orgId', 'ids'],
  row: z.object({ id: z.uuid(), is_proved: z.boolean(), only_vouchers: z.custom<string[]>() }),
  text: `select u.id, u.proved_by is not null or vouchers_of($1, u.id) <> '{}' as is_proved,
                only_vouchers_of($1, u.id) as only_vouchers
         from users u where u.id = any($2::uuid[])`,
});

/** Determines whether there is another person with one of the roles who can decide. */
export const findOthersOfRoles = statement({
  name: 'find_others_of_roles',
  params: ['orgId', 'roles', 'exceptIds'],
  row: z.object({ there_are: z.boolean() }),
  text: `select count_able_people($1, array(select 'role:' || role from unnest($2::text[]) role), $3::uuid[], true, 1) > 0
           as there_are`,
});

const rejectedRow = z.object({ id: z.uuid(), name: z.string(), ended_at: z.date(), status: z.custom<RunStatus>() });
export type RejectedRow = z.output<typeof rejectedRow>;

/**
 * Finds the latest run of a workflow that ended within the last `sinceMs` after a rejection: one that any of these
 * people cancelled, or that any of them started and that failed.
 */
export const findRejectedBefore = statement({
  name: 'find_rejected_run_before',
  params: ['orgId', 'key', 'people', 'sinceMs'],
  row: rejectedRow,
  text: `select r.id, r.name, r.ended_at, r.status
         from runs r join workflows w on w.org_id = r.org_id and w.id = r.workflow_id
         where r.org_id = $1 and w.key = $2 and w.deleted_at is null and r.rejected and r.status in ('cancelled', 'failed')
           and r.ended_at > now() - $4 * interval '1 millisecond'
           and exists (
             select from jsonb_extract_path(r.state, case r.status when 'cancelled' then 'by' else 'startedBy' end) as who
             where coalesce(who ->> 'personId', who ->> 'id') = any ($3)
                or jsonb_exists_any(coalesce(who -> 'also', '[]'), $3)
           )
         order by r.ended_at desc limit 1`,
});

/** Saves the time of the next crossing and the SLA state after a check that found nothing to record. */
export const setNextCrossing = statement({
  name: 'set_next_crossing',
  params: ['orgId', 'runId', 'nextCrossingAt', 'slaState'],
  text: `update runs set next_crossing_at = $3, sla_state = $4 where org_id = $1 and id = $2`,
});

/**
 * Up to `most` crossings that have to be recorded, oldest first, in the runs of all organizations that aren't ending.
 */
export const findDueCrossings = statement({
  name: 'find_due_crossings',
  params: ['most'],
  row: z.object({ org_id: z.uuid(), run_id: z.uuid() }),
  text: `select org_id, run_id from due_crossings($1)`,
});

/**
 * Reads the run's audit events, oldest first, as the text of a JSON list in which erased events are null. Includes only
 * the latest notes, because all of them can be several megabytes. Also reads the database's time, which saves a
 * separate statement (`readClock`).
 */
export const readHistory = statement({
  name: 'read_run_history',
  params: ['orgId', 'runId'],
  each: ['runId'],
  row: z.object({ nth: z.number(), now: z.number(), history: z.string() }),
  text: `select asked.nth, floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now, '[' || coalesce(events.list, '') || ']' as history
         from unnest($2::uuid[]) with ordinality asked (id, nth)
         cross join lateral (
           select string_agg(coalesce(e.payload, 'null'), ',' order by e.seq) as list
           from (
             select n.seq, n.payload, n.action, count(*) filter (where n.action = 'note.added') over (order by n.seq desc) as notes
             from audit_events n where n.org_id = $1 and n.run_id = asked.id
           ) e where e.action <> 'note.added' or e.notes <= ${NOTES_IN_HISTORY}
         ) events`,
});
