import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { presentListedRun } from './run.presenter.ts';
import { listRuns, readClock } from './runs.sql.ts';

/** A page of runs, newest first; the cursor names the last run of the page before. */
export const listRunsPage: Handler<'GET /api/runs'> = async ({ db }, { actor, query }) => {
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const { limit, status, workflow, from, to, q, sla } = query;
  const [rows, clock] = await db.transaction(actor, (tx) =>
    Promise.all([
      tx.many(listRuns, {
        orgId: actor.orgId,
        limit: limit + 1,
        beforeAt: after?.at ?? null,
        beforeId: after?.id ?? null,
        status: status ?? null,
        workflow: workflow ?? null,
        from: from ?? null,
        to: to ?? null,
        q: q === undefined ? null : q.replaceAll(/[\\%_]/g, String.raw`\$&`),
        sla: sla ?? null,
      }),
      tx.maybeOne(readClock, {}),
    ]),
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const now = clock?.now ?? 0;
  return answer(
    page.map((row) => presentListedRun(row, now)),
    rows.length > limit && last ? { 'x-next-cursor': `${last.created_at.toISOString()}_${last.id}` } : {},
  );
};

function readCursor(cursor: string): { at: string; id: string } {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([\da-f-]{36})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor of this list' }] });
  return { at, id };
}
