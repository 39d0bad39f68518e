import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { type RunCursor, findRuns } from './find-runs.ts';
import { countRuns } from './list-runs.sql.ts';
import { presentListedRun } from './run.presenter.ts';
import { type ListedRunRow, readClock } from './runs.sql.ts';

/** A page of runs, newest first. The cursor contains the last run of the previous page. */
export const listRunsPage: Handler<'GET /api/runs'> = async ({ db }, { actor, query }) => {
  const { limit, cursor, ...filter } = query;
  const after = cursor === undefined ? null : readCursor(cursor);
  const [rows, clock] = await db.transaction(actor, (tx) =>
    Promise.all([findRuns(tx, actor.orgId, filter, { limit: limit + 1, after }), tx.maybeOne(readClock, {})]),
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const now = clock?.now ?? 0;
  return answer(
    page.map((row) => presentListedRun(row, now)),
    rows.length > limit && last ? { 'x-next-cursor': writeCursor(last) } : {},
  );
};

export const countRunsByStatus: Handler<'GET /api/runs/summary'> = async ({ db }, { actor }) => {
  const counted = await db.transaction(actor, (tx) => tx.maybeOne(countRuns, { orgId: actor.orgId }));
  const byStatus = counted ?? { running: 0, paused: 0, completed: 0, failed: 0, cancelled: 0 };
  return answer({ total: Object.values(byStatus).reduce((sum, count) => sum + count, 0), byStatus });
};

const writeCursor = ({ created_at, id }: ListedRunRow): string => `${created_at.toISOString()}_${id}`;

function readCursor(cursor: string): RunCursor {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([\da-f-]{36})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor of this list' }] });
  return { at, id };
}
