import { type ReviewEvent, finishedReviews } from '@stet/domain/insights';
import type { Tx } from '../../kernel/database.ts';
import { deleteFinishedReviews, listEventsOfReviews, saveFinishedReviews } from './reviews.sql.ts';

/**
 * Saves the finished reviews of drafts, from their events up to a position. Computes them from all events again,
 * because the version of a draft is only known once it goes live.
 */
export async function countReviews(tx: Tx, orgId: string, draftIds: readonly string[], upTo: number): Promise<void> {
  const events = new Map<string, ReviewEvent[]>();
  for (const { draft_id: id, at, action, payload } of await tx.many(listEventsOfReviews, { orgId, draftIds, upTo })) {
    const data = payload === null ? null : (JSON.parse(payload) as { data: Record<string, unknown> }).data;
    const known = events.get(id);
    const event = { action, at: at.getTime(), data };
    if (known) known.push(event);
    else events.set(id, [event]);
  }
  const reviews = [...events].flatMap(([id, ofDraft]) => {
    const key = ofDraft.find(({ data }) => data !== null)?.data?.['key'];
    if (typeof key !== 'string') return [];
    const version = ofDraft.find(({ action }) => action === 'draft.merged')?.data?.['version'] ?? null;
    return finishedReviews(ofDraft).map(({ submittedAt, decidedAt, decision }, n) => ({
      draft_id: id,
      round: n + 1,
      workflow_key: key,
      version,
      submitted_at: new Date(submittedAt),
      decided_at: new Date(decidedAt),
      decision,
    }));
  });
  tx.write(deleteFinishedReviews, { orgId, draftIds });
  if (reviews.length > 0) tx.write(saveFinishedReviews, { orgId, reviews: JSON.stringify(reviews) });
}
