import type { Priority, QueryOf, RunSort } from '@stet/contract';
import { PRIORITIES } from '@stet/contract';
import { assignedGroup } from '@stet/domain/access';
import type { RunStatus } from '@stet/domain/runs';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import {
  type OpenLead,
  type RunLead,
  type RunOrder,
  listTaggedKeys,
  openRunLists,
  runLists,
  runsLateNow,
  runsOfFigures,
  runsOfOne,
  searchRuns,
  troubleLists,
} from './list-runs.sql.ts';
import type { ListedRunRow } from './runs.sql.ts';

/** The filters and the order of a list of runs. */
export type RunFilter = Omit<QueryOf<'GET /api/runs'>, 'limit' | 'cursor'>;

/** The sort keys of a run. Times are in ISO 8601, 'infinity' or '-infinity'. */
export type RunKey = { due: string; at: string; id: string; name: string; rank: number };
/** Position of the last run on the previous page. `part` is the index of its group in the list. */
export type RunCursor = { part: number; key: RunKey };
/**
 * The filters of a list. Instead of the tag, `workflows` contains the keys of the workflows that have it; null without
 * a tag.
 */
type ResolvedFilter = Omit<RunFilter, 'tag'> & { workflows: string[] | null };
type FoundRow = ListedRunRow & { task_due_at?: Date | null };

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The start keys for a first page, which precede the keys of all runs. */
const ASCENDING: RunKey = { due: '-infinity', at: '-infinity', id: FIRST_ID, name: '', rank: 0 };
const DESCENDING: RunKey = { ...ASCENDING, at: 'infinity', id: LAST_ID, rank: 32_767 };
const START: Record<RunOrder | 'due', RunKey> = {
  newest: DESCENDING,
  oldest: ASCENDING,
  name: ASCENDING,
  priority: DESCENDING,
  due: ASCENDING,
};

/** One group of a list. `without` is the earlier group whose runs it excludes. */
type Part = { order: RunOrder | 'due'; without?: 'open' | 'in_trouble'; isInTrouble?: boolean };

/**
 * With `due`, completed and cancelled runs form a second group, sorted newest first. With `attention`, the runs that
 * don't need attention do.
 */
const PARTS: Record<RunSort, readonly Part[]> = {
  newest: [{ order: 'newest' }],
  oldest: [{ order: 'oldest' }],
  name: [{ order: 'name' }],
  priority: [{ order: 'priority' }],
  due: [{ order: 'due' }, { order: 'newest', without: 'open' }],
  attention: [
    { order: 'due', isInTrouble: true },
    { order: 'newest', without: 'in_trouble' },
  ],
};

/**
 * Returns the page of runs after the cursor, and the cursor for the next page or null. Uses the index that fits the
 * filters best.
 */
export async function findRuns(
  tx: Tx,
  orgId: string,
  { tag, ...unresolved }: RunFilter,
  { limit, after }: { limit: number; after: RunCursor | null },
): Promise<{ rows: ListedRunRow[]; next: RunCursor | null }> {
  refuseUnlistable(unresolved);
  const filter: ResolvedFilter = { ...unresolved, workflows: null };
  if (tag !== undefined) {
    const tagged = (await tx.many(listTaggedKeys, { orgId, tag })).map(({ key }) => key);
    const workflows = filter.workflow === undefined ? tagged : tagged.filter((key) => key === filter.workflow);
    if (workflows.length === 0) return { rows: [], next: null };
    // There are indexes for more combinations of filters and orders for one workflow than for several.
    if (workflows.length === 1) filter.workflow = workflows[0];
    else filter.workflows = workflows;
  }
  // Runs that wait for a person are all open, so `due` and `attention` sort them by due time, without groups.
  const parts: readonly Part[] =
    filter.with === undefined || PARTS[filter.sort].length === 1 ? PARTS[filter.sort] : [{ order: 'due' }];
  const rows: FoundRow[] = [];
  let last: RunCursor | null = null;
  for (let part = after?.part ?? 0; part < parts.length && rows.length <= limit; part += 1) {
    const wanted = parts[part];
    if (!wanted) break;
    const key = after?.part === part ? after.key : START[wanted.order];
    const found = await findPart(tx, orgId, filter, wanted, { limit: limit + 1 - rows.length, key });
    const shown = found.slice(0, limit - rows.length).at(-1);
    if (shown) last = { part, key: keyOf(shown) };
    rows.push(...found);
  }
  return { rows: rows.slice(0, limit), next: rows.length > limit ? last : null };
}

/** Refuses filters and orders that can't be combined with a figure. Its runs are only indexed by workflow and start. */
function refuseUnlistable({ figure, workflow, q, with: person, sort }: Omit<RunFilter, 'tag'>): void {
  if (figure === undefined) return;
  const problem =
    workflow === undefined
      ? 'needs a workflow'
      : q !== undefined || person !== undefined
        ? 'can’t be combined with q or with'
        : sort !== 'newest' && sort !== 'oldest'
          ? 'can only be sorted by newest or oldest'
          : null;
  if (problem !== null) throw new Refused({ code: 'invalid', problems: [{ field: 'figure', problem }] });
}

async function findPart(
  tx: Tx,
  orgId: string,
  filter: ResolvedFilter,
  { order, without, isInTrouble = false }: Part,
  { limit, key }: { limit: number; key: RunKey },
): Promise<FoundRow[]> {
  const { status, workflow, version, workflows, env, sla, q, from, to } = filter;
  const start = startIn(filter, order, key);
  const values = {
    orgId,
    limit,
    from: from === undefined ? '-infinity' : storableTime(from),
    to: to === undefined ? 'infinity' : storableTime(to),
    status: status ?? null,
    workflow: workflow ?? null,
    version: version ?? null,
    workflows,
    env: env ?? null,
    priority: filter.priority === undefined ? null : rankOf(filter.priority),
    sla: sla ?? null,
    without: without ?? null,
    keyDue: start.due,
    keyAt: start.at,
    keyId: start.id,
    keyName: start.name,
    keyRank: start.rank,
    who: filter.with === undefined ? null : nameInTasks(filter.with),
    figure: null,
    step: null,
    pattern: q === undefined ? null : `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
  };
  const { figure } = filter;
  if (figure !== undefined && (order === 'newest' || order === 'oldest')) {
    const step = /^lateNow:(.*)$/s.exec(figure)?.[1];
    return step === undefined
      ? tx.many(runsOfFigures[order], { ...values, figure })
      : tx.many(runsLateNow[order], { ...values, step });
  }
  if (filter.with !== undefined) return tx.many(runsOfOne[order], values);
  if (order === 'due' && status !== undefined && isOver(status)) return [];
  const isOfPeriod = (from !== undefined || to !== undefined) && order !== 'newest' && order !== 'oldest';
  if (q !== undefined || isOfPeriod) return tx.many(searchRuns, { ...values, order, isInTrouble });
  if (order === 'due') return tx.many((isInTrouble ? troubleLists : openRunLists)[openLeadOf(filter)], values);
  const list = runLists[order][leadOf(filter, order)];
  if (!list) throw new Error(`there is no list by ${order} for these filters`);
  return tx.many(list, values);
}

/** Returns the key to start after: the cursor's key, or the boundary of the period if it comes later in the list. */
function startIn({ from, to }: ResolvedFilter, order: Part['order'], key: RunKey): RunKey {
  const isBefore = (one: string, other: string) => timeOf(one) < timeOf(other);
  if (order === 'newest' && to !== undefined && isBefore(to, key.at))
    return { ...key, at: storableTime(to), id: LAST_ID };
  if (order === 'oldest' && from !== undefined && isBefore(key.at, from))
    return { ...key, at: storableTime(from), id: FIRST_ID };
  return key;
}

/** Replaces times in year 0, which PostgreSQL doesn't have, with -infinity. */
const storableTime = (at: string): string => (at.startsWith('0000-') ? '-infinity' : at);

const timeOf = (at: string): number =>
  at === 'infinity' ? Number.POSITIVE_INFINITY : at === '-infinity' ? Number.NEGATIVE_INFINITY : Date.parse(at);

const isOver = (status: RunStatus): boolean => status === 'completed' || status === 'cancelled';

function leadOf(
  { status, workflow, version, workflows, env, priority, sla }: ResolvedFilter,
  order: RunOrder,
): RunLead {
  const hasPairs = order === 'newest' || order === 'oldest';
  if (workflows !== null) {
    if (hasPairs && sla !== undefined) return 'tag_and_sla';
    return hasPairs && status !== undefined ? 'tag_and_status' : 'tag';
  }
  if (workflow !== undefined && version !== undefined) return 'version';
  if (hasPairs && sla !== undefined && workflow !== undefined) return 'workflow_and_sla';
  if (hasPairs && sla !== undefined && status !== undefined) return 'status_and_sla';
  if (sla !== undefined) return 'sla';
  if (hasPairs && workflow !== undefined && status !== undefined) return 'workflow_and_status';
  if (workflow !== undefined) return 'workflow';
  if (env !== undefined) return 'env';
  if (priority !== undefined) return 'priority';
  return status === undefined ? 'all' : 'status';
}

function openLeadOf({ workflow, version, workflows, env, priority, sla }: ResolvedFilter): OpenLead {
  if (workflows !== null) return 'tag';
  if (workflow !== undefined) return version === undefined ? 'workflow' : 'version';
  if (sla !== undefined) return 'sla';
  if (env !== undefined) return 'env';
  return priority === undefined ? 'all' : 'priority';
}

/** The rank of a priority, as stored in `priority_rank`. */
const rankOf = (priority: Priority): number => PRIORITIES.indexOf(priority) + 1;

function nameInTasks(text: string): string {
  const name = text.toLowerCase();
  return name.includes('@') || assignedGroup(name) !== null ? name : `role:${name}`;
}

function keyOf(row: FoundRow): RunKey {
  const due = row.task_due_at === undefined ? row.next_due_at : row.task_due_at;
  return {
    due: due?.toISOString() ?? 'infinity',
    at: row.created_at.toISOString(),
    id: row.id,
    name: row.sort_name,
    rank: rankOf(row.priority),
  };
}
