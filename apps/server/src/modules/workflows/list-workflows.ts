import type { WorkflowSort } from '@stet/contract';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import type { OwnedVersionRow } from './workflows.sql.ts';
import { presentWorkflow } from './workflow.presenter.ts';
import { listCurrentVersions, listWorkflows } from './workflows.sql.ts';

/** A page of workflows. The cursor identifies the last workflow on the previous page. */
export const listWorkflowsPage: Handler<'GET /api/workflows'> = async ({ db }, { actor, query }) => {
  const { limit, q, status, tag, sort } = query;
  const after = query.cursor === undefined ? null : readCursor(query.cursor, sort);
  const { rows, versions } = await db.transaction(actor, async (tx) => {
    const found = await tx.many(listWorkflows[sort], {
      orgId: actor.orgId,
      // Requests one workflow more than the page contains, to find out whether there is a next page.
      limit: limit + 1,
      afterAt: after?.at ?? null,
      afterId: after?.id ?? null,
      statuses: status ?? null,
      q: q === undefined ? null : q.replaceAll(/[\\%_]/g, String.raw`\$&`),
      inText: query.in === 'text',
      tag: tag ?? null,
    });
    const workflowIds = found.slice(0, limit).map(({ id }) => id);
    return { rows: found, versions: await tx.many(listCurrentVersions, { orgId: actor.orgId, workflowIds }) };
  });
  const byWorkflow = new Map<string, OwnedVersionRow[]>();
  for (const version of versions) {
    const found = byWorkflow.get(version.workflow_id);
    if (found) found.push(version);
    else byWorkflow.set(version.workflow_id, [version]);
  }
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return answer(
    shown.map((row) => presentWorkflow(row, byWorkflow.get(row.id) ?? [])),
    rows.length > limit && last
      ? { 'x-next-cursor': `${sort === 'title' ? 'title' : last.updated_at_exact}_${last.id}` }
      : {},
  );
};

/** Reads a cursor: `title` or the time of the last update, and the id of a workflow. */
function readCursor(cursor: string, sort: WorkflowSort): { at: string | null; id: string } {
  const [, at, id] = /^(title|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([\da-f-]{36})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined || (at === 'title') !== (sort === 'title'))
    throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor for this list' }] });
  return { at: at === 'title' ? null : at, id };
}
