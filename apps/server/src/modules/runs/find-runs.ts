import type { QueryOf } from '@stet/contract';
import type { Tx } from '../../kernel/database.ts';
import {
  listRuns,
  listRunsByEnv,
  listRunsBySla,
  listRunsByStatus,
  listRunsByStatusAndSla,
  listRunsByWorkflow,
  listRunsByWorkflowAndSla,
  listRunsByWorkflowAndStatus,
  searchRuns,
} from './list-runs.sql.ts';
import type { ListedRunRow } from './runs.sql.ts';

/** The filters of a list of runs. */
export type RunFilter = Omit<QueryOf<'GET /api/runs'>, 'limit' | 'cursor'>;
/** The last run of the previous page. */
export type RunCursor = { at: string; id: string };

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Where the index scan starts: after the cursor, but not later than the end of the period. */
function beginning(after: RunCursor | null, to: string | undefined): RunCursor {
  if (after !== null && (to === undefined || Date.parse(after.at) <= Date.parse(to))) return after;
  return { at: to ?? 'infinity', id: LAST_ID };
}

/** At most `limit` runs after the cursor, newest first. Uses the index of the most selective filter. */
export function findRuns(
  tx: Tx,
  orgId: string,
  filter: RunFilter,
  { limit, after }: { limit: number; after: RunCursor | null },
): Promise<ListedRunRow[]> {
  const { status, workflow, env, sla, q, from, to } = filter;
  const { at, id } = beginning(after, to);
  const values = {
    orgId,
    limit,
    before: at,
    beforeId: id,
    from: from ?? '-infinity',
    to: to ?? 'infinity',
    status: status ?? null,
    workflow: workflow ?? null,
    env: env ?? null,
    sla: sla ?? null,
  };
  if (q !== undefined)
    return tx.many(searchRuns, { ...values, pattern: `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` });
  if (sla !== undefined && workflow !== undefined) return tx.many(listRunsByWorkflowAndSla, values);
  if (sla !== undefined && status !== undefined) return tx.many(listRunsByStatusAndSla, values);
  if (sla !== undefined) return tx.many(listRunsBySla, values);
  if (workflow !== undefined && status !== undefined) return tx.many(listRunsByWorkflowAndStatus, values);
  if (workflow !== undefined) return tx.many(listRunsByWorkflow, values);
  if (env !== undefined) return tx.many(listRunsByEnv, values);
  if (status !== undefined) return tx.many(listRunsByStatus, values);
  return tx.many(listRuns, values);
}
