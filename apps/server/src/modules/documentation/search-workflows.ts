import type { FoundWorkflow, SearchHit } from '@stet/contract';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { type VersionRow, listCurrentVersions, presentWorkflow } from '../workflows/index.ts';
import { excerptOf, markTyped, markWords, wordsOf } from './excerpt.ts';
import { type FoundRow, type FoundStep, listFoundSteps, listFoundWorkflows } from './search.sql.ts';

const STEPS_SHOWN = 3;

/**
 * Returns a page of the workflows whose title, key, description or steps match the query, or of all workflows if there
 * is no query.
 */
export const searchWorkflows: Handler<'GET /api/workflow-search'> = async ({ db }, { actor, query }) => {
  const { orgId } = actor;
  const { status, tag, limit, sort } = query;
  const q = query.q ?? null;
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const { page, more, versions, steps } = await db.transaction(actor, async (tx) => {
    const rows = await tx.many(listFoundWorkflows, {
      orgId,
      q,
      status: status ?? null,
      tag: tag ?? null,
      afterRank: after?.rank ?? null,
      afterAt: after?.at ?? null,
      afterId: after?.id ?? null,
      limit: limit + 1,
      byTitle: sort === 'title',
    });
    const shown = rows.slice(0, limit);
    const workflowIds = shown.map(({ id }) => id);
    const [theirVersions, theirSteps] = await Promise.all([
      tx.many(listCurrentVersions, { orgId, workflowIds }),
      q === null ? [] : tx.many(listFoundSteps, { orgId, q, workflowIds, stepsEach: STEPS_SHOWN }),
    ]);
    return { page: shown, more: rows.length > limit, versions: theirVersions, steps: theirSteps };
  });

  const versionsOf = new Map<string, VersionRow[]>();
  for (const version of versions)
    versionsOf.set(version.workflow_id, [...(versionsOf.get(version.workflow_id) ?? []), version]);
  const stepsOf = new Map(steps.map((row) => [row.workflow_id, row]));
  const last = page.at(-1);
  return answer(
    page.map((row): FoundWorkflow => ({
      ...presentWorkflow(row, versionsOf.get(row.id) ?? []),
      hits: q === null ? [] : hitsOf(row, stepsOf.get(row.id), q),
    })),
    more && last ? { 'x-next-cursor': `${last.rank}_${last.cursor_at}_${last.id}` } : {},
  );
};

type FoundSteps = { version: number | null; description: string; in_description: boolean; steps: FoundStep[] };
function hitsOf(row: FoundRow, found: FoundSteps | undefined, typed: string): SearchHit[] {
  const words = wordsOf(typed);
  const title = markTyped(row.title, typed);
  const key = markTyped(row.key, typed);
  const hits: SearchHit[] = [
    ...(title ? [{ in: 'title' as const, text: title }] : []),
    ...(key ? [{ in: 'key' as const, text: key }] : []),
  ];
  if (!found) return hits;
  const version = found.version === null ? 'Draft' : `v${found.version}`;
  const description = found.in_description ? excerptOf(found.description, words) : null;
  if (description) hits.push({ in: 'description', text: description, version });
  for (const { number, step } of found.steps) {
    const inTitle = markWords(step.title, words);
    const text = excerptOf(step.description ?? '', words) ?? excerptOf(step.assignee ?? '', words);
    // In text without spaces between words, the index finds each character separately. The characters match only if
    // they are adjacent.
    if (!inTitle && !text) continue;
    const title = inTitle ?? [{ text: step.title, hit: false }];
    hits.push({ in: 'step', stepId: step.id, number, title, text: text ?? [], version });
  }
  return hits;
}

function readCursor(cursor: string): { rank: number; at: string; id: string } {
  const [, rank, at, id] =
    /^([01])_(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(cursor) ?? [];
  if (rank === undefined || at === undefined || id === undefined || Number.isNaN(Date.parse(at)))
    throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor for this list' }] });
  return { rank: Number(rank), at, id };
}
