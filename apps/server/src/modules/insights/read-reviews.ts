import type { ReviewFigures } from '@stet/contract';
import { roundedSeconds } from '@stet/domain/insights';
import { z } from 'zod';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { cursorHeader, readCursor } from './cursor.ts';
import { type Period, presentPeriod, readPeriod } from './period.ts';
import { readWorkflow } from './read-workflow.ts';
import { REVIEW_PARTS, listFinishedReviews, sumFinishedReviews, sumFinishedReviewsByWorkflow } from './reviews.sql.ts';

type FigureRow = { finished: number; changes_requested: number; p50: number | null; p90: number | null };

const figuresOf = ({ finished, changes_requested: changesRequested, p50, p90 }: FigureRow): ReviewFigures => ({
  finished,
  changesRequested,
  p50: p50 === null ? null : roundedSeconds(p50 * 1000),
  p90: p90 === null ? null : roundedSeconds(p90 * 1000),
});
const NONE = figuresOf({ finished: 0, changes_requested: 0, p50: null, p90: null });

/** The figures of the finished reviews of each workflow in a period. */
export const readReviewsByWorkflow = async (tx: Tx, orgId: string, { first, last }: Period) =>
  (await tx.many(sumFinishedReviewsByWorkflow, { orgId, from: first, to: last })).map(({ key, title, ...row }) => ({
    key,
    title,
    ...figuresOf(row),
  }));

const cursorOf = z.strictObject({ decidedAt: z.iso.datetime(), draftId: z.uuid(), round: z.int().max(2_147_483_647) });
export type ReviewCursor = z.infer<typeof cursorOf>;

/** A page of finished reviews after the cursor, and the cursor of the next page or null. */
export async function readFinishedReviews(
  tx: Tx,
  orgId: string,
  key: string,
  { first, last }: Pick<Period, 'first' | 'last'>,
  version: number | null,
  { limit, after }: { limit: number; after: ReviewCursor | null },
) {
  const rows = await tx.many(listFinishedReviews, {
    orgId,
    from: first,
    to: last,
    key,
    version,
    limit: limit + 1,
    decidedAt: after?.decidedAt ?? 'infinity',
    draftId: after?.draftId ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    round: after?.round ?? 2_147_483_647,
  });
  const page = rows.slice(0, limit).map((row) => ({
    draftId: row.draft_id,
    round: row.round,
    title: row.title,
    version: row.version,
    submittedAt: row.submitted_at.toISOString(),
    decidedAt: row.decided_at.toISOString(),
    decision: row.decision,
    seconds: (row.decided_at.getTime() - row.submitted_at.getTime()) / 1000,
  }));
  const final = page.at(-1);
  const next: ReviewCursor | null =
    rows.length > limit && final ? { decidedAt: final.decidedAt, draftId: final.draftId, round: final.round } : null;
  return { page, next };
}

export const workflowReviews: Handler<'GET /api/workflows/{key}/insights/reviews'> = async (
  { db },
  { actor, params: { key }, query },
) => {
  const { orgId } = actor;
  const { limit, cursor, version = null } = query;
  const { body, next } = await db.transaction(actor, async (tx) => {
    const workflow = await readWorkflow(tx, orgId, key, version || null);
    const after = cursor === undefined ? null : readCursor(cursorOf, cursor);
    const period = await readPeriod(tx, orgId, query);
    const [rows, listed] = await Promise.all([
      tx.many(sumFinishedReviews, { orgId, from: period.first, to: period.last, key, version }),
      readFinishedReviews(tx, orgId, key, period, version, { limit, after }),
    ]);
    const all = rows.find(({ part }) => part === REVIEW_PARTS.all);
    return {
      next: listed.next,
      body: {
        ...presentPeriod(period),
        workflow: { key, title: workflow.title },
        version,
        all: all ? figuresOf(all) : NONE,
        weeks: rows.flatMap((row) =>
          row.part === REVIEW_PARTS.week && row.week !== null ? [{ week: row.week, ...figuresOf(row) }] : [],
        ),
        versions: rows.flatMap((row) =>
          row.part === REVIEW_PARTS.version ? [{ version: row.version, ...figuresOf(row) }] : [],
        ),
        reviews: listed.page.map(({ round: _round, ...review }) => review),
      },
    };
  });
  return answer(body, cursorHeader(next));
};
