import { type RunState, holdersOf, stepStateOf } from '@stet/domain/runs';
import { canonicalJson } from '@stet/domain/workflows';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Tx } from '../../kernel/database.ts';
import { digestOf } from '../../kernel/digest.ts';
import { type Rows, differences } from './derived-rows.ts';
import { findAlteredReviewedContent, rowsByEvents, storedRows } from './governing-rows.ts';
import type { SealDeps } from './seal-trail.ts';

/** The progress in verifying rows: first MACs, in several parts, then governing rows, then runs by id. */
export type RowProgress = { step: 'macs' | 'governing' | 'runs'; after: string };
export type RowFinding = { problem: 'repeated' | 'row'; seq: number | null; detail: string | null };

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const RUNS = 50;
/** The approximate number of MACs compared by one query. */
const MACS = 1_000_000;

const findRepeatedMac = statement({
  name: 'find_repeated_mac',
  params: ['orgId', 'total', 'parts', 'part'],
  row: z.object({ seq: z.number() }),
  text: `select max(seq) as seq from audit_events
         where org_id = $1 and seq <= $2 and mac is not null and get_byte(mac, 0) % $3::int = $4::int
         group by mac having count(*) > 1 limit 1`,
});

const findLostRun = statement({
  name: 'find_lost_run',
  params: ['orgId'],
  row: z.object({ run_id: z.uuid() }),
  text: `select e.run_id from audit_events e where e.org_id = $1 and e.run_id is not null and e.action = 'run.started'
           and not exists (select from runs r where r.org_id = e.org_id and r.id = e.run_id) limit 1`,
});

const listRunStates = statement({
  name: 'list_run_states',
  params: ['orgId', 'after', 'limit'],
  row: z.object({
    id: z.uuid(),
    status: z.string(),
    state: z.custom<RunState>(),
    steps: z.custom<StoredSteps>(),
    payload: z.string().nullable(),
  }),
  text: `select r.id, r.status, r.state,
                (select coalesce(json_object_agg(s.step_id, json_build_object('state', s.state, 'heldBy', s.held_by)), '{}') from run_steps s
                 where s.org_id = r.org_id and s.run_id = r.id) as steps,
                (select e.payload from audit_events e where e.org_id = r.org_id and e.run_id = r.id
                   and e.payload like '%"stateHash":"%' order by e.seq desc limit 1) as payload
         from runs r where r.org_id = $1 and r.id > $2 order by r.id limit $3`,
});

/** The rows of a run's steps, by id. `heldBy` is null if the step was neither claimed nor handed over. */
type StoredSteps = Record<string, { state: string; heldBy: string[] | null }>;

type Reads = Pick<Tx, 'many' | 'maybeOne'>;

/**
 * A page of runs after the run with this id, each with the digest that `installation.upgraded` records. Empty after the
 * last run.
 */
export async function runRows(tx: Reads, orgId: string, after: string = FIRST_ID): Promise<[string, string][]> {
  const page = await tx.many(listRunStates, { orgId, after, limit: RUNS });
  return page.map(({ id, state }) => [id, digestOf(state)]);
}

/** Compares more rows with events until the time is up. `rows` is null once all have been compared. */
export async function continueRows(
  { db, auditMac }: Pick<SealDeps, 'db' | 'auditMac'>,
  orgId: string,
  { total, rows: begun }: { total: number; rows: RowProgress },
  until: number,
): Promise<{ found: RowFinding | null; rows: RowProgress | null }> {
  // Rows can't be compared until the first start with MACs has recorded the existing ones.
  if (auditMac.checkOf(orgId).none === Number.MAX_SAFE_INTEGER) return { found: null, rows: null };
  const tenant = { orgId, userId: null };
  let rows: RowProgress = begun;
  let upgraded: Rows | null = null;
  do {
    const { step, after } = rows;
    if (step === 'macs') {
      const [parts, part] = [Math.min(256, Math.ceil(total / MACS)), Number(after)];
      const repeated = await db.transaction(tenant, (tx) =>
        tx.maybeOne(findRepeatedMac, { orgId, total, parts, part }),
      );
      if (repeated) return { found: { problem: 'repeated', seq: repeated.seq, detail: null }, rows };
      rows = part + 1 < parts ? { step, after: String(part + 1) } : { step: 'governing', after: '' };
    } else if (step === 'governing') {
      const detail = await db.snapshot(tenant, (tx) => findDifference(tx, orgId));
      if (detail !== null) return { found: { problem: 'row', seq: null, detail }, rows };
      rows = { step: 'runs', after: FIRST_ID };
    } else {
      const { detail, last } = await db.snapshot(tenant, async (tx) => {
        const page = await tx.many(listRunStates, { orgId, after, limit: RUNS });
        if (page.some(({ payload }) => payload === null)) upgraded ??= await rowsByEvents(tx, orgId, 0);
        const different = page.flatMap((row) => runDifference(row, upgraded) ?? []);
        return { detail: different[0] ?? null, last: page.at(-1)?.id ?? null };
      });
      if (detail !== null) return { found: { problem: 'row', seq: null, detail }, rows };
      if (last === null) return { found: null, rows: null };
      rows = { step, after: last };
    }
  } while (performance.now() < until);
  return { found: null, rows };
}

/**
 * Describes the first governing row that differs from its events, a missing run, or changed reviewed content. Null if
 * there is none.
 */
async function findDifference(tx: Reads, orgId: string): Promise<string | null> {
  const [derived, stored] = await Promise.all([rowsByEvents(tx, orgId, 0), storedRows(tx, orgId)]);
  const [different] = differences(derived, stored);
  if (different) return different;
  const lost = await tx.maybeOne(findLostRun, { orgId });
  if (lost) return `The run ${lost.run_id} is missing`;
  return findAlteredReviewedContent(tx, orgId);
}

type RunStateRow = {
  id: string;
  status: string;
  state: RunState;
  steps: StoredSteps;
  payload: string | null;
};

/**
 * Describes how a run differs from the last event that contains its state. Null if it doesn't. Steps that were never
 * active have no row.
 */
function runDifference({ id, status, state, steps, payload }: RunStateRow, upgraded: Rows | null): string | null {
  const recordedDigest =
    payload === null ? upgraded?.get(`run:${id}`) : (JSON.parse(payload) as { stateHash?: string }).stateHash;
  if (recordedDigest !== digestOf(state)) return `The state of run ${id} differs from the one after its last event`;
  if (status !== state.status) return `The run ${id} is stored as ${status} but is ${state.status}`;
  const filed = Object.entries(steps).find(([stepId, filedAs]) => {
    const is = state.steps[stepId]?.state;
    return filedAs.state !== is && !(filedAs.state === 'waiting' && status === 'cancelled') && is !== undefined;
  });
  if (filed) return `Step ${canonicalJson(filed[0])} of run ${id} is stored as ${filed[1].state}`;
  // The removal of a member releases the steps for which the member is stored here. A cancelled run has no active
  // steps.
  const held = Object.entries(steps).find(([stepId, { heldBy }]) => {
    const holders = status === 'cancelled' ? [] : holdersOf(stepStateOf(state, stepId));
    return canonicalJson((heldBy ?? []).toSorted()) !== canonicalJson([...holders].toSorted());
  });
  return held ? `Step ${canonicalJson(held[0])} of run ${id} is stored with other people than those who have it` : null;
}
