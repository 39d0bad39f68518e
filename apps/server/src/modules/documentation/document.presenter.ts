import type { WorkflowDocument } from '@stet/contract';
import { targetMs } from '@stet/domain/sla';
import { presentVersion } from '../workflows/index.ts';
import type { DocumentRow } from './documentation.sql.ts';

/** A version as a document for readers. */
export function presentDocument(row: DocumentRow): WorkflowDocument {
  const contributed = new Set(row.contributors.map(({ id }) => id));
  return {
    ...presentVersion(row),
    key: row.key,
    archived: row.archived_at !== null,
    metadata: row.metadata,
    steps: row.steps,
    owner: row.owner,
    contributors: row.contributors,
    liveSince: row.live_since?.toISOString() ?? null,
    mergedAt: row.merged_at?.toISOString() ?? null,
    mergedBy: row.merged_by,
    approvals: row.approvals.map(({ reviewer, at, comment }) => ({
      reviewer,
      at: new Date(at).toISOString(),
      comment,
      // A contributor can approve only if nobody else could have done it.
      selfApproved: contributed.has(reviewer.id),
      marks: row.merged_with?.find((approval) => approval.reviewer.id === reviewer.id)?.marks ?? [],
    })),
    slaTotalMs: targetMs(row.steps),
  };
}
