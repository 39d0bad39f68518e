import type { Diff } from '@stet/contract';
import { addressWarnings, assigneeEmails, impactOf } from '@stet/domain/drafts';
import type { WorkflowContent } from '@stet/domain/workflows';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import {
  countOpenRuns,
  findBaseContent,
  findContentOfReview,
  findLiveContent,
  findReviewedContent,
} from './compare.sql.ts';
import { listMemberEmails } from '../organizations/index.ts';
import { findLastReviewed } from '../workflows/index.ts';
import { contentBefore, reviewedBefore } from './compared-contents.ts';
import { presentDiff } from './diff.presenter.ts';
import { findDraft } from './drafts.sql.ts';

/** Maximum number of warnings about addresses, because nobody would read a longer list. */
const MAX_WARNINGS = 100;

type DraftAt = { orgId: string; key: string; draftId: string };
type Compared = { content: WorkflowContent | null; against: Omit<Diff['against'], 'what'> };

/** The changes between a draft and other content. Only the first `limit` changes include details. */
export const diffDraft: Handler<'GET /api/workflows/{key}/drafts/{id}/diff'> = async (
  { db },
  { actor, params, query },
) => {
  const at = { orgId: actor.orgId, key: params.key, draftId: params.id };
  const [draft, other] = await db.transaction(actor, (tx) =>
    Promise.all([tx.maybeOne(findDraft, at), findCompared(tx, at, actor.userId, query.against)]),
  );
  if (!draft) throw new Refused({ code: 'not_found', what: 'draft' });
  if (!other) throw new Refused({ code: 'not_found', what: query.against === 'approved' ? 'approval' : 'review' });
  const against = { what: query.against, ...other.against };
  return answer({ against, revision: draft.revision, ...presentDiff(other.content, draft, query.limit) });
};

/** Returns the draft's steps in one of the actor's reviews, for example to draw the compared content. */
export const reviewedContentOfDraft: Handler<'GET /api/workflows/{key}/drafts/{id}/reviewed-content'> = async (
  { db },
  { actor, params, query },
) => {
  const { orgId, userId } = actor;
  const { key, id: draftId } = params;
  const row = await db.transaction(actor, (tx) =>
    tx.maybeOne(findContentOfReview, { orgId, key, draftId, userId, reviewId: query.reviewId }),
  );
  if (!row) throw new Refused({ code: 'not_found', what: 'own_review' });
  return answer({ at: row.at.toISOString(), steps: row.steps });
};

/**
 * Returns a draft's impact on runs. Compares it with its base, because a later live version contains changes that don't
 * belong to the draft. An open draft without a base is compared with the live version.
 */
export const impactOfDraft: Handler<'GET /api/workflows/{key}/drafts/{id}/impact'> = async (
  { db },
  { actor, params },
) => {
  const at = { orgId: actor.orgId, key: params.key, draftId: params.id };
  return db.transaction(actor, async (tx) => {
    const [draft, live, base, lastReviewed, openRuns] = await Promise.all([
      tx.maybeOne(findDraft, at),
      tx.maybeOne(findLiveContent, at),
      tx.maybeOne(findBaseContent, at),
      tx.maybeOne(findLastReviewed, at),
      tx.many(countOpenRuns, at),
    ]);
    if (!draft) throw new Refused({ code: 'not_found', what: 'draft' });
    const compared = { base, live, lastReviewed };
    const emails = assigneeEmails(draft.steps);
    const members = emails.length === 0 ? [] : await tx.many(listMemberEmails, { orgId: at.orgId, emails });
    const warnings = addressWarnings(
      draft.steps,
      members.map(({ email }) => email),
    ).slice(0, MAX_WARNINGS);
    const impact = impactOf(contentBefore(draft, compared), draft, reviewedBefore(draft, compared));
    return answer({ ...impact, warnings, openRuns });
  });
};

/**
 * Finds the content to compare a draft with. `approved` and `reviewed` return undefined if the actor hasn't approved or
 * reviewed the draft.
 */
async function findCompared(
  tx: Tx,
  at: DraftAt,
  userId: string,
  against: Diff['against']['what'],
): Promise<Compared | undefined> {
  if (against === 'live' || against === 'base') {
    const row = await tx.maybeOne(against === 'live' ? findLiveContent : findBaseContent, at);
    return { content: row ?? null, against: { version: row?.version ?? null, at: null, reviewId: null } };
  }
  const verdict = against === 'approved' ? against : null;
  const row = await tx.maybeOne(findReviewedContent, { ...at, userId, verdict });
  return row && { content: row, against: { version: null, at: row.at.toISOString(), reviewId: row.id } };
}
