import type { AuditRecord } from '@stet/domain/audit';

type Delivered = { id: string; seq: number | null; action: string; created_at: Date };
type Stored = {
  at: string;
  payload: string | null;
  subject_type: string;
  subject_id: string;
  run_id: string | null;
  hash: string;
};

/**
 * The body of a delivery: the audit event without its session. The body of a test is shorter, because a test has no
 * event. The body is the same for each attempt, unless data was erased in the meantime.
 */
export function webhookBody(orgId: string, delivery: Delivered, event: Stored | null): string {
  const { id, seq, action } = delivery;
  if (!event) {
    return JSON.stringify({ id, type: action, organizationId: orgId, at: delivery.created_at.toISOString() });
  }
  const record = event.payload === null ? null : (JSON.parse(event.payload) as AuditRecord);
  return JSON.stringify({
    id,
    type: action,
    organizationId: orgId,
    seq,
    at: event.at,
    actor: record?.actor ?? null,
    subject: { type: event.subject_type, id: event.subject_id },
    runId: event.run_id,
    data: record?.data ?? null,
    hash: event.hash,
  });
}
