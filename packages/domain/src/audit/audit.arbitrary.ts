import { hmac } from '@noble/hashes/hmac';
import { sha256 } from '@noble/hashes/sha2';
import { utf8ToBytes } from '@noble/hashes/utils';
import { macMessage } from './event-mac.ts';
import { auditPayload, derivedColumns, type AuditEvent, type AuditRecord, type EventMac } from './events.ts';
import { eventHash, GENESIS, payloadDigest, sameBytes } from './hash.ts';

export const ORG = '018f4e6a-7b2c-7d3e-8f40-1a2b3c4d5e6f';
export const OTHER_ORG = '018f4e6a-7b2c-7d3e-8f40-1a2b3c4d5e70';

/** Test support: returns the event after `last`, as the database would append it. */
export function nextEvent(last: AuditEvent | undefined, record: AuditRecord, at: bigint): AuditEvent {
  const seq = (last?.seq ?? 0) + 1;
  const payload = auditPayload(record);
  const salt = new Uint8Array(16).fill(seq);
  const fields = { orgId: ORG, seq, at, prev: last?.hash ?? GENESIS, digest: payloadDigest(salt, payload) };
  return { ...fields, ...derivedColumns(record), payload, salt, hash: eventHash(fields), mac: null };
}

/**
 * Test support: returns the MAC that a server with the key computes for an event, dated one second before it is
 * appended.
 */
export function macOf(event: AuditEvent, key = 'key'): EventMac {
  const madeAt = event.at - 1_000_000n;
  return { madeAt, bytes: hmac(sha256, utf8ToBytes(key), macMessage({ ...event, madeAt })) };
}

export const isMac = (message: Uint8Array, mac: Uint8Array): boolean =>
  sameBytes(hmac(sha256, utf8ToBytes('key'), message), mac);

/** Test support: returns a whole chain with one event for each record, one second apart. */
export function chainOf(records: readonly AuditRecord[]): AuditEvent[] {
  const events: AuditEvent[] = [];
  records.forEach((record, index) =>
    events.push(nextEvent(events.at(-1), record, 1_795_228_967_000_000n + BigInt(index) * 1_000_000n)),
  );
  return events;
}

/** Test support: returns records of drafts and runs, each different from the others. */
export function someRecords(count: number): AuditRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    actor: { kind: 'user', id: `user-${index % 3}`, name: 'Priya Nair' },
    action: index % 2 === 0 ? 'draft.saved' : 'step.completed',
    subject: { type: index % 2 === 0 ? 'version' : 'run', id: `subject-${index}` },
    ...(index % 2 === 1 && { runId: `subject-${index}` }),
    data: { index },
  }));
}
