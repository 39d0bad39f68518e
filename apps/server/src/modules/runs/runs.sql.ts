import type { Priority } from '@stet/contract';
import type { RunState, RunStatus } from '@stet/domain/runs';
import type { Step, WorkflowMetadata } from '@stet/domain/workflows';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
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
  }),
  // The share lock keeps the workflow from being archived or deleted between this look and the start of the run.
  text: `select w.id as workflow_id, w.archived_at, v.id as version_id, v.version, v.metadata, v.steps
         from workflows w left join workflow_versions v on v.org_id = w.org_id and v.id = w.live_version_id
         where w.org_id = $1 and w.key = $2 and w.deleted_at is null
         for share of w`,
});

/** The database's clock in epoch milliseconds: what due times and history are dated by. */
export const readClock = statement({
  name: 'read_clock',
  params: [],
  row: z.object({ now: z.number() }),
  text: `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
});

const listed = `
  r.id, r.workflow_key, r.workflow_title, r.version, r.name, r.description, r.priority, r.status, r.summary, r.steps_total,
  r.steps_completed, r.target_ms, r.has_clock, r.at_risk_at, r.breach_at, r.clock_stopped_at, r.created_at, r.ended_at`;

const listedRow = z.object({
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
});
export type ListedRunRow = z.output<typeof listedRow>;

const runRow = listedRow.extend({
  revision: z.number(),
  state: z.custom<RunState>(),
  metadata: z.custom<WorkflowMetadata>(),
  steps: z.custom<Step[]>(),
});
export type RunRow = z.output<typeof runRow>;

const whole = `
  select ${listed}, r.revision, r.state, v.metadata, v.steps
  from runs r join workflow_versions v on v.org_id = r.org_id and v.id = r.version_id
  where r.org_id = $1 and r.id = $2`;

export const findRun = statement({ name: 'find_run', params: ['orgId', 'runId'], row: runRow, text: whole });
/** The run with its state as the last writer left it; the next writer waits. */
export const lockRun = statement({
  name: 'lock_run',
  params: ['orgId', 'runId'],
  row: runRow,
  text: `${whole} for update of r`,
});

export const insertRun = statement({
  name: 'insert_run',
  params: [
    'orgId',
    'id',
    'workflowId',
    'workflowKey',
    'workflowTitle',
    'versionId',
    'version',
    'name',
    'description',
    'priority',
    'startedBy',
    'createdAt',
    'stepsTotal',
    'status',
    'state',
    'summary',
    'stepsCompleted',
    'targetMs',
    'hasClock',
    'atRiskAt',
    'breachAt',
    'clockStoppedAt',
    'endedAt',
  ],
  text: `insert into runs
           (org_id, id, workflow_id, workflow_key, workflow_title, version_id, version, name, description, priority, started_by,
            created_at, steps_total, status, state, summary, steps_completed, target_ms, has_clock, at_risk_at, breach_at,
            clock_stopped_at, ended_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
});

export const saveRun = statement({
  name: 'save_run',
  params: [
    'orgId',
    'id',
    'status',
    'state',
    'summary',
    'stepsCompleted',
    'targetMs',
    'hasClock',
    'atRiskAt',
    'breachAt',
    'clockStoppedAt',
    'endedAt',
  ],
  text: `update runs
         set status = $3, state = $4, summary = $5, steps_completed = $6, target_ms = $7, has_clock = $8, at_risk_at = $9,
             breach_at = $10, clock_stopped_at = $11, ended_at = $12, revision = revision + 1
         where org_id = $1 and id = $2`,
});

/** One row for each step that was ever active, as it stands now; `steps` is a JSON list of them. */
export const saveRunSteps = statement({
  name: 'save_run_steps',
  params: ['orgId', 'runId', 'steps'],
  text: `insert into run_steps (org_id, run_id, step_id, activation, state, title, type, assignee, activated_at, due_at)
         select $1, $2, s.step_id, s.activation, s.state, s.title, s.type, s.assignee, s.activated_at, s.due_at
         from jsonb_to_recordset($3::jsonb)
           as s (step_id text, activation int, state text, title text, type text, assignee text, activated_at timestamptz, due_at timestamptz)
         on conflict (org_id, run_id, step_id) do update
         set activation = excluded.activation, state = excluded.state, assignee = excluded.assignee,
             activated_at = excluded.activated_at, due_at = excluded.due_at`,
});

export const listHistory = statement({
  name: 'list_run_history',
  params: ['orgId', 'runId'],
  row: z.object({ payload: z.string().nullable() }),
  text: `select payload from audit_events where org_id = $1 and run_id = $2 order by seq`,
});

/** A page of runs, newest first, from after the cursor (its moment and id); each filter counts where it isn't null. */
export const listRuns = statement({
  name: 'list_runs',
  params: ['orgId', 'limit', 'beforeAt', 'beforeId', 'status', 'workflow', 'from', 'to', 'q', 'sla'],
  row: listedRow,
  text: `select ${listed}
         from runs r
         where r.org_id = $1
           and ($3::timestamptz is null or (r.created_at, r.id) < ($3::timestamptz, $4::uuid))
           and ($5::text is null or r.status = $5)
           and ($6::text is null or r.workflow_key = $6)
           and ($7::timestamptz is null or r.created_at >= $7)
           and ($8::timestamptz is null or r.created_at <= $8)
           and ($9::text is null or r.name ilike '%' || $9 || '%' or r.workflow_title ilike '%' || $9 || '%')
           and ($10::text is null or $10 = case
                 when not r.has_clock then 'none'
                 when r.breach_at < coalesce(r.clock_stopped_at, clock_timestamp()) then 'breached'
                 when r.at_risk_at <= coalesce(r.clock_stopped_at, clock_timestamp()) then 'at_risk'
                 else 'on_track' end)
         order by r.created_at desc, r.id desc
         limit $2`,
});

export const countRuns = statement({
  name: 'count_runs',
  params: ['orgId'],
  row: z.object({ status: z.custom<RunStatus>(), count: z.number() }),
  text: `select status, count(*) as count from runs where org_id = $1 group by status`,
});
