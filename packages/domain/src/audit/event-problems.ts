import { canonicalJson } from '../workflows/canonical-json.ts';
import { derivedColumns, type AuditEvent, type AuditRecord } from './events.ts';
import { eventHash, payloadDigest, sameBytes } from './hash.ts';

/**
 * What is wrong with an event, in the order in which it is looked for:
 * - `organization`: of another organization than the first
 * - `gap`: its number is not the next one
 * - `order`: earlier than the event before it
 * - `link`: does not name the hash before it
 * - `hash`: its own hash is not that of its fields
 * - `digest`: payload and salt are not those of the digest
 * - `form`: the payload is not canonical JSON of a record
 * - `derived`: a column is not what the payload says
 * - `erased`: payload or salt are gone and no later event says that they were erased
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
  | 'erased';

/** What the next event follows; `hash` is null where the event before it is not at hand. */
export type Before = { seq: number; hash: Uint8Array | null; at: bigint };

/** What is wrong with an event's place behind another, or with its own hash. */
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
    // Fields that can't be hashed, as in a file that someone edited, have no hash to match.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What is wrong with what an event says. One that was erased as a whole is fine here; `erasedBy` tells whether it may be. */
export function payloadProblem({ payload, salt, digest, ...columns }: AuditEvent): ChainProblem | null {
  if (payload === null || salt === null) return payload === null && salt === null ? null : 'erased';
  if (!sameBytes(digest, payloadDigest(salt, payload))) return 'digest';
  const record = readRecord(payload);
  if (record === null) return 'form';
  const derived = derivedColumns(record);
  const agrees = (Object.keys(derived) as (keyof typeof derived)[]).every(
    (column) => derived[column] === columns[column],
  );
  return agrees ? null : 'derived';
}

/** The numbers of the events that this one says were erased. */
export function erasedBy({ action, payload }: AuditEvent): number[] {
  if (action !== 'audit.erased' || payload === null) return [];
  const seqs = readRecord(payload)?.data?.seqs;
  return Array.isArray(seqs) ? seqs.filter((seq): seq is number => typeof seq === 'number') : [];
}

function readRecord(payload: string): AuditRecord | null {
  try {
    const value: unknown = JSON.parse(payload);
    // Two texts of one meaning would be two payloads that a reader can't tell apart.
    return isRecord(value) && canonicalJson(value) === payload ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is AuditRecord {
  const { actor, subject } = (value ?? {}) as { actor?: unknown; subject?: unknown };
  return typeof actor === 'object' && actor !== null && typeof subject === 'object' && subject !== null;
}
