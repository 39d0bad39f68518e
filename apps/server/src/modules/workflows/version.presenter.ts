import type { VersionRecord } from '@stet/contract';
import type { VersionRow } from './version-columns.ts';

/** A version record (specification, section 3). */
export const presentVersion = (row: VersionRow): VersionRecord => ({
  id: row.id,
  status: row.status,
  version: row.version,
  label: row.version === null ? 'Draft' : `v${row.version}`,
  revision: row.revision,
  contentHash: row.content_hash,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  createdBy: row.created_by,
  stepsCount: row.steps_count,
  approvalsCount: row.approvals_count,
  commentsCount: row.comments_count,
  approvals: row.merged_with,
});
