import type { RunSort } from '@stet/contract';
import { z } from 'zod';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { type RunCursor, findRuns } from './find-runs.ts';
import { countRuns } from './list-runs.sql.ts';
import { presentListedRun } from './run.presenter.ts';
import { readClock } from './runs.sql.ts';

/** A page of runs. The cursor contains the sort keys of the last run on the previous page. */
export const listRunsPage: Handler<'GET /api/runs'> = async ({ db }, { actor, query }) => {
  const { limit, cursor, ...filter } = query;
  const after = cursor === undefined ? null : readCursor(cursor, filter.sort);
  const [{ rows, next }, clock] = await db.transaction(actor, (tx) =>
    Promise.all([findRuns(tx, actor.orgId, filter, { limit, after }), tx.maybeOne(readClock, {})]),
  );
  const now = clock?.now ?? 0;
  return answer(
    rows.map((row) => presentListedRun(row, now)),
    next ? { 'x-next-cursor': writeCursor(next, filter.sort) } : {},
  );
};

export const countRunsByStatus: Handler<'GET /api/runs/summary'> = async ({ db }, { actor }) => {
  const counted = await db.transaction(actor, (tx) => tx.maybeOne(countRuns, { orgId: actor.orgId }));
  const { on_track = 0, at_risk = 0, breached = 0, ...others } = counted ?? {};
  const byStatus = { running: 0, paused: 0, completed: 0, failed: 0, cancelled: 0, ...others };
  return answer({
    total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
    byStatus,
    bySla: { on_track, at_risk, breached },
  });
};

const time = z.union([z.iso.datetime(), z.literal('infinity')]);
const cursorOf = z.strictObject({
  sort: z.string(),
  part: z.union([z.literal(0), z.literal(1)]),
  // PostgreSQL can't store U+0000.
  key: z.strictObject({
    due: time,
    at: time,
    id: z.uuid(),
    name: z.string().regex(/^[^\0]*$/),
    rank: z.number().int().min(0).max(5),
  }),
});

function writeCursor(cursor: RunCursor, sort: RunSort): string {
  const { at, id } = cursor.key;
  return sort === 'newest' ? `${at}_${id}` : Buffer.from(JSON.stringify({ sort, ...cursor })).toString('base64url');
}

function readCursor(cursor: string, sort: RunSort): RunCursor {
  const read = sort === 'newest' ? readNewest(cursor) : readOther(cursor, sort);
  if (!read)
    throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor for this list' }] });
  return read;
}

function readNewest(cursor: string): RunCursor | null {
  const [at, id] = cursor.split('_');
  const read = cursorOf.shape.key.safeParse({ due: 'infinity', at, id, name: '', rank: 0 });
  return read.success ? { part: 0, key: read.data } : null;
}

function readOther(cursor: string, sort: RunSort): RunCursor | null {
  const read = cursorOf.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString()));
  if (!read.success || read.data.sort !== sort) return null;
  const { part, key } = read.data;
  return { part, key };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
