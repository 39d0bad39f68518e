import {
  type Blocker,
  type ReviewPolicy,
  type VersionState,
  blockedAsSimulated,
  isCurrentApproval,
  isOpen,
  latestWords,
  whatBlocksMerge,
  whoCounts,
} from '@stet/domain/drafts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { knownPeople } from '../confirmations/reads.ts';
import {
  type DraftRow,
  findDraft,
  findReviewPolicy,
  listContributors,
  listObjections,
  listReviews,
  lockDraft,
  lockReviewPolicy,
} from './drafts.sql.ts';

/** A draft with all that decisions about it depend on. */
export type LoadedDraft = Awaited<ReturnType<typeof loadDraft>>;

type DraftAt = { orgId: string; key: string; draftId: string };

/**
 * Reads a draft in one trip; with `lock` no one else changes it, its reviews, the policy or the members until the
 * transaction ends. Locks come first and alone: what is read by the statement that waits for one is from before the wait.
 */
export async function loadDraft(tx: Tx, at: DraftAt, { lock }: { lock: boolean }) {
  const { orgId, draftId } = at;
  const [, , row, contributors, reviewRows, objections, policyRow, known] = await Promise.all([
    lock ? tx.maybeOne(lockDraft, at) : undefined,
    lock ? tx.maybeOne(lockReviewPolicy, { orgId }) : undefined,
    tx.maybeOne(findDraft, at),
    tx.many(listContributors, { orgId, draftId }),
    tx.many(listReviews, { orgId, draftId }),
    tx.many(listObjections, { orgId, draftId }),
    tx.maybeOne(findReviewPolicy, { orgId }),
    knownPeople(tx, { orgId, draftId }),
  ]);
  if (!row || !policyRow) throw new Refused({ code: 'not_found', what: 'draft' });
  if (lock && row.archived_at) throw new Refused({ code: 'workflow_archived' });

  const state = stateOf(row);
  const reviews = reviewRows.map(({ reviewer, verdict, content_hash, dismissed, by_token }) => ({
    reviewerId: reviewer.id,
    verdict,
    contentHash: content_hash,
    dismissed,
    byToken: by_token,
  }));
  const policy: ReviewPolicy = { requiredApprovals: policyRow.required_approvals, strict: policyRow.strict };
  const standing = whoCounts({
    people: known.people,
    contributors: contributors.map(({ id, through }) => ({ id, through: through?.id ?? null })),
    firstSavedAt: row.created_at.getTime(),
    strict: policy.strict,
    at: known.at,
  });
  const blockers: Blocker[] = isOpen(state)
    ? [
        ...whatBlocksMerge({
          draft: { state: state.state, contentHash: row.content_hash, baseVersionId: row.base_version_id },
          reviews,
          objections: objections.map(({ reviewer }) => ({ reviewerId: reviewer.id })),
          contributors: contributors.map(({ id, through }) => ({ id, through: through?.id ?? null })),
          policy,
          liveVersionId: row.live_version_id,
          standing,
        }),
        ...blockedAsSimulated(row.steps, policyRow.simulated_steps),
      ]
    : [];
  return {
    row,
    state,
    contributors,
    /** Those who saved it themselves. */
    contributorIds: contributors.filter(({ through }) => through === null).map(({ id }) => id),
    reviews,
    reviewRows,
    objections,
    policy,
    isTeam: policyRow.type === 'team',
    people: known.people,
    /** The database's moment, in ms since 1970. */
    at: known.at,
    standing,
    blockers,
  };
}

/** A draft, held until what is asked of it is done. */
export const holdDraft = (
  tx: Tx,
  { orgId }: OrgActor,
  { key, id }: { key: string; id: string },
): Promise<LoadedDraft> => loadDraft(tx, { orgId, key, draftId: id }, { lock: true });

/** True if an approval of the content as it is, or a request for changes, stands on a draft. */
export const hasStandingWord = ({ reviews, objections, row }: LoadedDraft): boolean =>
  objections.some(({ draft_id }) => draft_id === row.id) ||
  latestWords(reviews).some((word) => isCurrentApproval(word, row.content_hash));

/** Refuses what was asked of another content than the one that stands; a caller who names no revision asks of any. */
export function checkRevision({ row }: LoadedDraft, sent: number | null): void {
  if (sent === null || sent === row.revision) return;
  throw new Refused({
    code: 'stale_revision',
    sent,
    current: row.revision,
    savedBy: row.updated_by_name,
    savedAt: row.updated_at.toISOString(),
  });
}

function stateOf(row: DraftRow): VersionState {
  const stamp = { by: row.created_by.id, at: row.created_at.getTime() };
  switch (row.status) {
    case 'draft':
      return { state: 'draft' };
    case 'in_review':
      return { state: 'in_review', submitted: { ...stamp, at: row.submitted_at?.getTime() ?? stamp.at } };
    case 'live':
      return { state: 'live', version: row.version ?? 0, merged: stamp };
    case 'superseded':
      return { state: 'superseded', version: row.version ?? 0, merged: stamp, supersededAt: stamp.at };
  }
}
