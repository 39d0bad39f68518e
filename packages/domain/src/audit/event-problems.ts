import { canonicalJson } from '../workflows/canonical-json.ts';
import { derivedColumns, type AuditEvent, type AuditRecord } from './events.ts';
import { eventHash, payloadDigest, sameBytes } from './hash.ts';

/**
 * Problems of an event:
 * - `organization`: it belongs to a different organization than its trail
 * - `gap`: its number is not the next one
 * - `order`: it is earlier than the previous event
 * - `link`: it does not contain the previous hash
 * - `hash`: its hash does not match its fields
 * - `digest`: payload and salt do not match the digest
 * - `form`: the payload is not canonical JSON of a record
 * - `derived`: a column does not match the payload
 * - `erased`: payload or salt are missing, or the event claims that others may be missing
 * - `mac`: it was not appended by a server with the key
 */
export type ChainProblem =
  | 'organization'
  | 'gap'
  | 'order'
  | 'link'
  | 'hash'
  | 'digest'
  | 'form'
  | 'derived'
  | 'erased'
  | 'mac';

/** The previous event; `hash` is null if that event is not available. */
export type Before = { seq: number; hash: Uint8Array | null; at: bigint };

/** Returns the problem with an event's position after another, or with its own hash; null if there is none. */
export function chainProblem(event: AuditEvent, before: Before, orgId: string): ChainProblem | null {
  if (event.orgId !== orgId) return 'organization';
  if (event.seq !== before.seq + 1) return 'gap';
  if (event.at < before.at) return 'order';
  if (before.hash !== null && !sameBytes(event.prev, before.hash)) return 'link';
  if (event.digest.length !== 32) return 'digest';
  return hasItsHash(event) ? null : 'hash';
}

function hasItsHash(event: AuditEvent): boolean {
  try {
    return sameBytes(event.hash, eventHash(event));
  } catch (error) {
    // Fields that can't be hashed, for example in an edited file, don't match any hash.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns the problem with an event's content; null if there is none. */
export function payloadProblem({ payload, salt, digest, ...columns }: AuditEvent): ChainProblem | null {
  if (payload === null || salt === null) return 'erased';
  if (!sameBytes(digest, payloadDigest(salt, payload))) return 'digest';
  const record = readRecord(payload);
  if (record === null) return 'form';
  if (record.action === 'audit.erased') return 'erased';
  const derived = derivedColumns(record);
  const agrees = (Object.keys(derived) as (keyof typeof derived)[]).every(
    (column) => derived[column] === columns[column],
  );
  return agrees ? null : 'derived';
}

function readRecord(payload: string): AuditRecord | null {
  try {
    const value: unknown = JSON.parse(payload);
    // Only the canonical text is accepted, so that every record has exactly one payload.
    return isRecord(value) && canonicalJson(value) === payload ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is AuditRecord {
  const { actor, subject } = (value ?? {}) as { actor?: unknown; subject?: unknown };
  return typeof actor === 'object' && actor !== null && typeof subject === 'object' && subject !== null;
}
