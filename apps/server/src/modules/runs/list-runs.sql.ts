import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import { listed, listedRow } from './runs.sql.ts';

const filters = ['before', 'beforeId', 'from', 'to', 'status', 'workflow', 'env', 'sla'] as const;

// The cursor and the period are always present ("no cursor" is the end of time), so that a generic plan can start in
// the middle of an index. Each list starts from the filter that leaves the fewest runs. The other filters are checked
// row by row.
const within = `
  r.org_id = $1 and (r.created_at, r.id) < ($3::timestamptz, $4::uuid) and r.created_at >= $5 and r.created_at <= $6
  and ($7::text is null or r.status = $7) and ($8::text is null or r.workflow_key = $8) and ($9::text is null or r.env = $9)`;
const newestFirst = `order by r.created_at desc, r.id desc limit $2`;
const stateNow = `run_sla_state(r.has_clock, r.at_risk_at, r.breach_at, r.clock_stopped_at)`;

const ledBy = (name: string, lead: string) =>
  statement({
    name,
    params: ['orgId', 'limit', ...filters],
    row: listedRow,
    text: `select ${listed} from runs r where ${within} and ${lead} and ($10::text is null or $10 = ${stateNow}) ${newestFirst}`,
  });

/** A page of runs after the cursor, newest first. Filters that are null are ignored. */
export const listRuns = ledBy('list_runs', 'true');
export const listRunsByStatus = ledBy('list_runs_by_status', 'r.status = $7');
export const listRunsByWorkflow = ledBy('list_runs_by_workflow', 'r.workflow_key = $8');
export const listRunsByWorkflowAndStatus = ledBy(
  'list_runs_by_workflow_and_status',
  'r.workflow_key = $8 and r.status = $7',
);
export const listRunsByEnv = ledBy('list_runs_by_env', 'r.env = $9');

// The offset makes the plan start with the crossings. Without it, a generic plan started with all runs, newest first,
// and searched for each of them among the crossings.
const ledBySla = (name: string, lead: string) =>
  statement({
    name,
    params: ['orgId', 'limit', ...filters],
    row: listedRow,
    text: `
    with saved as (
      select r.id, r.created_at from runs r
      where ${within} and ${lead} and r.sla_state = $10
        and (r.next_crossing_at is null or r.next_crossing_at > statement_timestamp())
      ${newestFirst}
    ), crossing as (
      select r.id, r.created_at from run_crossings c
      cross join lateral (select o.* from runs o where o.org_id = $1 and o.id = c.run_id offset 0) r
      where ${within} and c.org_id = $1 and c.at <= statement_timestamp() and $10 = ${stateNow}
      ${newestFirst}
    ), page as (
      select id from (select * from saved union all select * from crossing) both_kinds order by created_at desc, id desc limit $2
    )
    select ${listed} from page join runs r on r.org_id = $1 and r.id = page.id order by r.created_at desc, r.id desc`,
  });

/**
 * Like `listRuns`, filtered by SLA state. The stored state is valid until the next crossing. The few runs that have
 * crossed since the last check are evaluated one by one.
 */
export const listRunsBySla = ledBySla('list_runs_by_sla', 'true');
export const listRunsByWorkflowAndSla = ledBySla('list_runs_by_workflow_and_sla', 'r.workflow_key = $8');
export const listRunsByStatusAndSla = ledBySla('list_runs_by_status_and_sla', 'r.status = $7');

/**
 * Like `listRuns`, for runs with these words in their name or in the title of their workflow. The words are a LIKE
 * pattern.
 */
export const searchRuns = statement({
  name: 'list_runs_by_words',
  params: ['orgId', 'limit', ...filters, 'pattern'],
  row: listedRow,
  text: `select ${listed}
         from search_runs($11, $2::int, $3::timestamptz, $4::uuid, $5::timestamptz, $6::timestamptz, $7, $8, $9, $10) found
         join runs r on r.org_id = $1 and r.id = found.id
         order by r.created_at desc, r.id desc`,
});

export const countRuns = statement({
  name: 'count_runs',
  params: ['orgId'],
  row: z.object({
    running: z.number(),
    paused: z.number(),
    completed: z.number(),
    failed: z.number(),
    cancelled: z.number(),
  }),
  text: `select running, paused, completed, failed, cancelled from run_counts where org_id = $1`,
});
