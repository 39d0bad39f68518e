import type { AuditEvent } from '@stet/domain/audit';
import type { StoredEventRow } from './proof.sql.ts';

/** Converts a stored row into the format that the domain verifies. */
export function storedEvent(orgId: string, row: StoredEventRow): AuditEvent {
  const { at, subject_type, subject_id, run_id, mac, made_at, ...rest } = row;
  const columns = { subjectType: subject_type, subjectId: subject_id, runId: run_id };
  const made = mac === null || made_at === null ? null : { madeAt: BigInt(made_at), bytes: mac };
  return { orgId, at: BigInt(at), mac: made, ...columns, ...rest };
}
