import type { Emergency, VersionRecord } from '@stet/contract';
import type { EmergencyRow, VersionRow } from './version-columns.ts';

const iso = (moment: string): string => new Date(moment).toISOString();

/** An emergency and its state: ratified, refused, or neither yet. */
export function presentEmergency(row: EmergencyRow | null): Emergency | null {
  if (row === null) return null;
  const { by, at, reason, status, decider, decidedAt, decidedBecause } = row;
  const decided = decider !== null && decidedAt !== null ? { by: decider, at: iso(decidedAt) } : null;
  return {
    by,
    at: iso(at),
    reason,
    ratified: status === 'confirmed' ? decided : null,
    refused: status === 'refused' && decided !== null ? { ...decided, reason: decidedBecause } : null,
  };
}

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
  summary: row.summary,
  approvalsCount: row.approvals_count,
  commentsCount: row.comments_count,
  approvals: row.merged_with,
  emergency: presentEmergency(row.emergency),
});
