import type { VersionRecord } from '@stet/contract';
import { type Review, isCurrentApproval, latestWords } from '@stet/domain/drafts';
import { presentVersion } from '../workflows/index.ts';
import type { LoadedDraft } from './load-draft.ts';

/** The version record of a draft, with the changes that a use case has just made to it. */
export function recordOf(
  draft: LoadedDraft,
  change: { status?: VersionRecord['status']; reviews?: readonly Review[]; version?: number } = {},
): VersionRecord {
  const { row } = draft;
  const approvals = latestWords(change.reviews ?? draft.reviews).filter((word) =>
    isCurrentApproval(word, row.content_hash),
  );
  return presentVersion({
    ...row,
    status: change.status ?? row.status,
    version: change.version ?? row.version,
    approvals_count: approvals.length,
  });
}
