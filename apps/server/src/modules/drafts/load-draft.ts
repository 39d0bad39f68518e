import { PERMISSIONS } from '@stet/domain/access';
import {
  type Blocker,
  type ReviewPolicy,
  type VersionState,
  blockedAsSimulated,
  isOpen,
  whatBlocksMerge,
} from '@stet/domain/drafts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import {
  type DraftRow,
  findDraft,
  findReviewPolicy,
  listContributors,
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
  const [, , row, contributors, reviewRows, policyRow] = await Promise.all([
    lock ? tx.maybeOne(lockDraft, at) : undefined,
    lock ? tx.maybeOne(lockReviewPolicy, { orgId }) : undefined,
    tx.maybeOne(findDraft, at),
    tx.many(listContributors, { orgId, draftId }),
    tx.many(listReviews, { orgId, draftId }),
    tx.maybeOne(findReviewPolicy, { orgId, roles: PERMISSIONS['draft.review'] }),
  ]);
  if (!row || !policyRow) throw new Refused({ code: 'not_found', what: 'draft' });
  if (lock && row.archived_at) throw new Refused({ code: 'workflow_archived' });

  const state = stateOf(row);
  const reviews = reviewRows.map(({ reviewer, verdict, content_hash, dismissed }) => ({
    reviewerId: reviewer.id,
    verdict,
    contentHash: content_hash,
    dismissed,
  }));
  const contributorIds = contributors.map(({ id }) => id);
  const policy: ReviewPolicy = { requiredApprovals: policyRow.required_approvals };
  const blockers: Blocker[] = isOpen(state)
    ? [
        ...whatBlocksMerge({
          draft: {
            state: state.state,
            contentHash: row.content_hash,
            baseVersionId: row.base_version_id,
            contributors: contributorIds,
          },
          reviews,
          policy,
          liveVersionId: row.live_version_id,
          eligibleReviewers: policyRow.eligible,
        }),
        ...blockedAsSimulated(row.steps, policyRow.simulated_steps),
      ]
    : [];
  return {
    row,
    state,
    contributors,
    contributorIds,
    reviews,
    reviewRows,
    policy,
    eligible: policyRow.eligible,
    blockers,
  };
}

/** A draft, held until what is asked of it is done. */
export const holdDraft = (
  tx: Tx,
  { orgId }: OrgActor,
  { key, id }: { key: string; id: string },
): Promise<LoadedDraft> => loadDraft(tx, { orgId, key, draftId: id }, { lock: true });

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
