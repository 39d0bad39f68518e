import type { AuditEvent } from '@stet/domain/audit';
import type { StoredEventRow } from './proof.sql.ts';

/** A stored row as the domain verifies it. */
export function storedEvent(orgId: string, row: StoredEventRow): AuditEvent {
  const { at, subject_type, subject_id, run_id, ...rest } = row;
  return { ...rest, orgId, at: BigInt(at), subjectType: subject_type, subjectId: subject_id, runId: run_id };
}
