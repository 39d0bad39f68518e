import { randomBytes } from 'node:crypto';
import { type AuditRecord, auditPayload, derivedColumns } from '@stet/domain/audit';
import { z } from 'zod';
import { statement } from './statement.ts';
import type { Tx } from '../kernel/database.ts';

const append = statement({
  name: 'append_audit',
  params: ['events'],
  row: z.object({ seq: z.number() }),
  text: `select audit_append($1) as seq`,
});

/** Records what a transaction changed. Call it last: it takes the lock that every writer of the organization waits for. */
export function appendAudit(tx: Tx, records: readonly AuditRecord[]): void {
  const events = records.map((record) => {
    const { actor, action, subjectType, subjectId, runId } = derivedColumns(record);
    const salt = randomBytes(16).toString('hex');
    return {
      actor,
      action,
      subject_type: subjectType,
      subject_id: subjectId,
      run_id: runId,
      payload: auditPayload(record),
      salt,
    };
  });
  tx.announce(records.map(({ subject: { type, id } }) => ({ subject: type, id })));
  tx.write(append, { events: JSON.stringify(events) });
}
