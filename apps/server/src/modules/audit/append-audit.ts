import { createHash, randomBytes } from 'node:crypto';
import { auditPayload, derivedColumns, momentText } from '@stet/domain/audit';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Tx } from '../../kernel/database.ts';
import type { RecordedEvent } from '../../kernel/recorded-event.ts';

const append = statement({
  name: 'append_audit',
  params: ['events'],
  list: 'events',
  row: z.object({ seq: z.number() }),
  text: `select audit_append($1) as seq`,
});

const SALT_BYTES = 16;

/**
 * Records the changes made in a transaction, and writes the reactions to them. Must be called last, because it takes a
 * lock that every other writer of the organization's trail waits for.
 */
export function appendAudit(tx: Tx, recorded: readonly RecordedEvent[]): void {
  tx.follow(recorded);
  const madeAt = BigInt(Date.now()) * 1000n;
  const made_at = momentText(madeAt);
  const salts = randomBytes(recorded.length * SALT_BYTES);
  const events = recorded.map((event, at) => {
    const { context: _, ...record } = event;
    const columns = derivedColumns(record);
    const { actor, action, subjectType, subjectId, runId } = columns;
    const payload = auditPayload(record);
    const salt = salts.subarray(at * SALT_BYTES, (at + 1) * SALT_BYTES);
    const digest = createHash('sha256').update(salt).update(payload).digest();
    return {
      actor,
      action,
      subject_type: subjectType,
      subject_id: subjectId,
      run_id: runId,
      payload,
      salt: salt.toString('hex'),
      mac: tx.macOf({ madeAt, digest, ...columns }).toString('hex'),
      made_at,
    };
  });
  tx.announce(recorded.map(({ action, subject: { type, id } }) => ({ subject: type, id, action })));
  tx.write(append, { events });
}
