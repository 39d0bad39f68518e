import type { WorkCalendar } from '@stet/domain/sla';
import { type Cell, type CellKind, REVIEW_ENDS } from '@stet/domain/insights';
import type { Step } from '@stet/domain/steps';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

export const listOrganizationsToCount = statement({
  name: 'find_organizations_to_count',
  params: [],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from organizations_to_count() as org_id`,
});

/** Locks the cursor, and creates it for an organization that doesn't have one yet. */
export const lockCursor = statement({
  name: 'lock_insight_cursor',
  params: ['orgId'],
  row: z.object({ seq: z.number() }),
  text: `insert into insight_cursors as c (org_id, seq, at) values ($1, 0, 'epoch')
         on conflict (org_id) do update set org_id = excluded.org_id returning c.seq`,
});

export const advanceCursor = statement({
  name: 'advance_insight_cursor',
  params: ['orgId', 'seq', 'at'],
  text: `update insight_cursors set seq = $2, at = $3 where org_id = $1`,
});

const COUNTED = `'run.started', 'run.completed', 'run.failed', 'run.cancelled', 'step.retried', 'step.activated',
                 'step.completed', 'step.skipped'`;

/**
 * Lists the events after a position that change a figure, and the last event of the batch. Events are numbered without
 * gaps and become visible in that order. `fact_at` is the time of the fact, in epoch milliseconds.
 */
export const listUncounted = statement({
  name: 'list_uncounted_events',
  params: ['orgId', 'after', 'limit'],
  row: z.object({
    seq: z.number(),
    at: z.date(),
    action: z.string(),
    run_id: z.uuid().nullable(),
    subject_id: z.string(),
    fact_at: z.number().nullable(),
    step_id: z.string().nullable(),
    onward: z.string().nullable(),
  }),
  text: `select e.seq, e.at, e.action, e.run_id, e.subject_id, (fact.data ->> 'at')::bigint as fact_at, fact.data ->> 'stepId' as step_id,
                fact.data ->> 'onward' as onward
         from (select least(h.seq, $2::bigint + $3) as seq from audit_heads h where h.org_id = $1) last
         join audit_events e on e.org_id = $1 and e.seq > $2::bigint and e.seq <= last.seq
           -- Implied by the line above, for plans that would otherwise read all later events.
           and e.seq <= $2::bigint + $3
         cross join lateral (
           select case when e.action in (${COUNTED}) then e.payload::jsonb -> 'data' end as data offset 0
         ) fact
         where e.seq = last.seq or e.action in (${COUNTED}, ${REVIEW_ENDS.map((action) => `'${action}'`).join(', ')})
         order by e.seq`,
});

/** The events of runs, up to a position, that figures depend on, in order. Erased events have no payload. */
export const listEventsOfRuns = statement({
  name: 'list_events_of_runs',
  params: ['orgId', 'runIds', 'upTo'],
  row: z.object({ run_id: z.uuid(), seq: z.number(), action: z.string(), payload: z.string().nullable() }),
  text: `select run_id, seq, action, payload from audit_events
         where org_id = $1 and run_id = any($2::uuid[]) and seq <= $3
           and (action like 'run.%' or action like 'step.%' or action = 'note.added')
         order by run_id, seq`,
});

export const listRunsToCount = statement({
  name: 'list_runs_to_count',
  params: ['orgId', 'runIds'],
  row: z.object({ id: z.uuid(), workflow_key: z.string(), version: z.number(), version_id: z.uuid() }),
  text: `select id, workflow_key, version, version_id from runs where org_id = $1 and id = any($2::uuid[])`,
});

export const listStepsOfVersions = statement({
  name: 'list_steps_of_versions',
  params: ['orgId', 'versionIds'],
  row: z.object({ id: z.uuid(), steps: z.custom<Step[]>() }),
  text: `select id, steps from workflow_versions where org_id = $1 and id = any($2::uuid[])`,
});

/** The changes of working hours, in order. */
export const listChangesOfHours = statement({
  name: 'list_changes_of_hours',
  params: ['orgId'],
  row: z.object({ seq: z.number(), hours: z.custom<WorkCalendar | null>() }),
  text: `select seq, payload::jsonb #> '{data,after,workingHours}' as hours from audit_events
         where org_id = $1 and action = 'policy.changed' and payload::jsonb #> '{data,after}' ? 'workingHours' order by seq`,
});

/** A stored cell, which is the sum of a week or of a block of weeks. `week` is the first Monday, as `YYYY-MM-DD`. */
export type StoredCell = {
  kind: CellKind;
  workflow_key: string;
  is_block: boolean;
  week: string;
  version: number;
  subject: string;
  counts: Cell['counts'];
  spreads: Cell['spreads'];
};
const cellRow = z.object({
  kind: z.custom<CellKind>(),
  workflow_key: z.string(),
  is_block: z.boolean(),
  week: z.string(),
  version: z.number(),
  subject: z.string(),
  counts: z.custom<StoredCell['counts']>(),
  spreads: z.custom<StoredCell['spreads']>(),
});
const cellColumns = `c.kind, c.workflow_key, c.is_block, to_char(c.week, 'YYYY-MM-DD') as week, c.version, c.subject, c.counts, c.spreads`;
const keys = `jsonb_to_recordset($2::jsonb) as k (kind text, workflow_key text, is_block boolean, week date, version int, subject text)`;

/** The cells with these keys. */
export const listCellsByKey = statement({
  name: 'list_insight_cells_by_key',
  params: ['orgId', 'keys'],
  row: cellRow,
  text: `select ${cellColumns} from ${keys} join insight_cells c
         on c.org_id = $1 and c.kind = k.kind and c.workflow_key = k.workflow_key and c.is_block = k.is_block
            and c.week = k.week and c.version = k.version and c.digest = md5(k.subject)`,
});

export const saveCells = statement({
  name: 'save_insight_cells',
  params: ['orgId', 'cells'],
  text: `insert into insight_cells (org_id, kind, workflow_key, is_block, week, version, digest, subject, counts, spreads)
         select $1, k.kind, k.workflow_key, k.is_block, k.week, k.version, md5(k.subject), k.subject, k.counts, k.spreads
         from jsonb_to_recordset($2::jsonb)
           as k (kind text, workflow_key text, is_block boolean, week date, version int, subject text, counts jsonb, spreads json)
         on conflict (org_id, kind, workflow_key, is_block, week, version, digest)
         do update set counts = excluded.counts, spreads = excluded.spreads`,
});

export const deleteFindings = statement({
  name: 'delete_insight_findings',
  params: ['orgId', 'runIds'],
  text: `delete from insight_findings where org_id = $1 and run_id = any($2::uuid[])`,
});

export const saveFindings = statement({
  name: 'save_insight_findings',
  params: ['orgId', 'findings'],
  text: `insert into insight_findings (org_id, run_id, step_id, kind, activation, workflow_key, version, week, started_at, at)
         select $1, f.run_id, f.step_id, f.kind, f.activation, f.workflow_key, f.version, f.week, f.started_at, f.at
         from jsonb_to_recordset($2::jsonb) as f (run_id uuid, step_id text, kind text, activation int, workflow_key text,
           version int, week date, started_at timestamptz, at timestamptz)`,
});

const behindColumns = 'workflow_key text, figure text, version int, started_at timestamptz, run_id uuid';

export const saveRunsBehind = statement({
  name: 'save_runs_behind_figures',
  params: ['orgId', 'rows'],
  text: `insert into insight_runs (org_id, workflow_key, figure, version, started_at, run_id)
         select $1, b.workflow_key, b.figure, b.version, b.started_at, b.run_id
         from jsonb_to_recordset($2::jsonb) as b (${behindColumns})`,
});

export const deleteRunsBehind = statement({
  name: 'delete_runs_behind_figures',
  params: ['orgId', 'rows'],
  text: `delete from insight_runs i using jsonb_to_recordset($2::jsonb) as b (${behindColumns})
         where i.org_id = $1 and i.workflow_key = b.workflow_key and i.figure = b.figure and i.version = b.version
           and i.started_at = b.started_at and i.run_id = b.run_id`,
});

export const forgetRunsBehind = statement({
  name: 'forget_runs_behind_figures',
  params: ['orgId'],
  text: `delete from insight_runs where org_id = $1`,
});

export const forgetCells = statement({
  name: 'forget_insight_cells',
  params: ['orgId'],
  text: `delete from insight_cells where org_id = $1`,
});

export const forgetFindings = statement({
  name: 'forget_insight_findings',
  params: ['orgId'],
  text: `delete from insight_findings where org_id = $1`,
});

/**
 * The workflow with its live version or, if there is none, the latest of its earlier versions. Without any, `version`
 * and `steps` are null.
 */
export const findCountedWorkflow = statement({
  name: 'find_counted_workflow',
  params: ['orgId', 'key'],
  row: z.object({
    title: z.string(),
    version: z.number().nullable(),
    steps: z.custom<Step[] | null>(),
  }),
  text: `select w.title, v.version, v.steps from workflows w
         left join lateral (
           select v.version, v.steps from workflow_versions v
           where v.org_id = w.org_id and v.workflow_id = w.id and v.version is not null
           order by v.id = w.live_version_id desc, v.version desc limit 1
         ) v on true
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null`,
});

export const findStepsOfVersion = statement({
  name: 'find_steps_of_version',
  params: ['orgId', 'key', 'version'],
  row: z.object({ steps: z.custom<Step[]>() }),
  text: `select v.steps from workflows w join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id
         where w.org_id = $1 and w.key = $2 and v.version = $3`,
});

/** The time up to which events are counted, or now if all of them are counted. */
export const findAsOf = statement({
  name: 'find_insights_as_of',
  params: ['orgId'],
  row: z.object({ as_of: z.date(), now: z.date() }),
  text: `select case when c.seq = h.seq then clock_timestamp() else coalesce(c.at, 'epoch') end as as_of,
                clock_timestamp() as now
         from audit_heads h left join insight_cursors c on c.org_id = h.org_id where h.org_id = $1`,
});

/**
 * The cells of a workflow in a period, of the given kinds. For the kinds in `blockKinds`, the weeks from `blocksFrom`
 * and before `blocksBefore` are summed in blocks.
 */
export const listCells = statement({
  name: 'list_insight_cells',
  params: ['orgId', 'key', 'kinds', 'blockKinds', 'from', 'to', 'blocksFrom', 'blocksBefore'],
  row: cellRow,
  text: `select ${cellColumns} from insight_cells c
         where c.org_id = $1 and c.workflow_key = $2 and c.kind = any($3::text[]) and not c.is_block
           and c.week between $5::date and $6::date
           and (c.week < $7::date or c.week >= $8::date or c.kind <> all($4::text[]))
         union all
         select ${cellColumns} from insight_cells c
         where c.org_id = $1 and c.workflow_key = $2 and c.kind = any($3::text[]) and c.kind = any($4::text[]) and c.is_block
           and c.week >= $7::date and c.week < $8::date`,
});

/** The load of all workflows in a period. */
export const listLoad = statement({
  name: 'list_insight_load',
  params: ['orgId', 'from', 'to'],
  row: z.object({ who: z.string(), week: z.string(), arrived: z.number(), done: z.number() }),
  text: `select subject as who, to_char(week, 'YYYY-MM-DD') as week,
                sum(coalesce((counts ->> 'arrived')::int, 0))::int as arrived, sum(coalesce((counts ->> 'done')::int, 0))::int as done
         from insight_cells where org_id = $1 and kind = 'load' and not is_block and week between $2::date and $3::date
         group by subject, week order by subject, week`,
});

const summed = (name: string, kind: string): string =>
  `coalesce(sum((c.counts ->> '${name}')::int) filter (where c.kind = '${kind}'), 0)::int as ${name}`;

/** The figures of each workflow in a period, in the order of their keys. */
export const listCountedWorkflows = statement({
  name: 'list_counted_workflows',
  params: ['orgId', 'from', 'to'],
  row: z.object({
    key: z.string(),
    title: z.string(),
    started: z.number(),
    ended: z.number(),
    completed: z.number(),
    timed: z.number(),
    kept: z.number(),
    findings: z.number(),
  }),
  text: `select w.key, w.title, ${['started', 'ended', 'completed', 'timed', 'kept'].map((name) => summed(name, 'run')).join(', ')},
                ${summed('findings', 'finding')}
         from insight_cells c join workflows w on w.org_id = c.org_id and w.key = c.workflow_key
         where c.org_id = $1 and c.kind in ('run', 'finding') and not c.is_block and c.week between $2::date and $3::date
         group by w.key, w.title order by w.key`,
});

/** Maximum number of late runs to consider. The runs that have been overdue longest come first. */
const MAX_LATE = 2000;

/** Steps that are late now, with the number of runs that wait for them. */
export const listLateSteps = statement({
  name: 'list_late_steps',
  params: ['orgId', 'limit'],
  row: z.object({
    workflow_key: z.string(),
    workflow_title: z.string(),
    step_id: z.string(),
    step_title: z.string(),
    assignee: z.string(),
    runs: z.number(),
    since: z.date(),
  }),
  text: `select o.workflow_key, min(w.title) as workflow_title, s.step_id, min(s.title) as step_title,
                min(s.assignee) as assignee, count(*)::int as runs, min(s.due_at) as since
         from (
           select run_id, workflow_key from open_runs
           where org_id = $1 and sla_state = 'breached' and status = 'running' order by due_at, started_at, run_id limit ${MAX_LATE}
         ) o
         join run_steps s on s.org_id = $1 and s.run_id = o.run_id and s.state = 'active' and s.due_at < clock_timestamp()
         join workflows w on w.org_id = $1 and w.key = o.workflow_key
         group by o.workflow_key, s.step_id order by runs desc, since limit $2`,
});

/** Drafts that wait for a review. Those that have waited longest come first. */
export const listWaitingReviews = statement({
  name: 'list_waiting_reviews',
  params: ['orgId', 'limit'],
  row: z.object({ key: z.string(), id: z.uuid(), title: z.string(), since: z.date() }),
  text: `select w.key, v.id, v.metadata ->> 'title' as title, coalesce(v.submitted_at, v.updated_at) as since
         from workflow_versions v join workflows w on w.org_id = v.org_id and w.id = v.workflow_id
         where v.org_id = $1 and v.status = 'in_review' and w.archived_at is null and w.deleted_at is null
         order by coalesce(v.submitted_at, v.updated_at), v.id limit $2`,
});

/** A page of findings, newest runs first. Filters that are null are ignored. */
export const listFindings = statement({
  name: 'list_insight_findings',
  params: [
    'orgId',
    'key',
    'from',
    'to',
    'version',
    'kind',
    'step',
    'limit',
    'startedAt',
    'runId',
    'stepId',
    'ofKind',
    'activation',
  ],
  row: z.object({
    run_id: z.uuid(),
    run_name: z.string(),
    step_id: z.string(),
    step_title: z.string().nullable(),
    kind: z.string(),
    activation: z.number(),
    version: z.number(),
    at: z.date(),
    started_at_exact: z.string(),
  }),
  text: `select f.run_id, r.name as run_name, f.step_id, s.title as step_title, f.kind, f.activation, f.version, f.at,
                to_char(f.started_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as started_at_exact
         from insight_findings f
         join runs r on r.org_id = f.org_id and r.id = f.run_id
         left join run_steps s on s.org_id = f.org_id and s.run_id = f.run_id and s.step_id = f.step_id
         where f.org_id = $1 and f.workflow_key = $2 and f.week between $3::date and $4::date
           and f.started_at < ($4::date + 8)::timestamptz
           and ($5::int is null or f.version = $5) and ($6::text is null or f.kind = $6) and ($7::text is null or f.step_id = $7)
           and (f.started_at, f.run_id) <= ($9::timestamptz, $10::uuid)
           and ((f.started_at, f.run_id) < ($9::timestamptz, $10::uuid) or (f.step_id, f.kind, f.activation) > ($11, $12, $13::int))
         order by f.started_at desc, f.run_id desc, f.step_id, f.kind, f.activation limit $8`,
});

export const listPeople = statement({
  name: 'list_counted_people',
  params: ['orgId', 'ids'],
  row: z.object({ id: z.string(), name: z.string() }),
  text: `select u.id::text as id, u.name from users u where u.id::text = any($2::text[]) and $1::uuid is not null
         union all
         select t.id::text, t.name from api_tokens t where t.org_id = $1 and t.id::text = any($2::text[])`,
});
