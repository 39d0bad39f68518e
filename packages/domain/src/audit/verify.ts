import { canonicalJson } from '../workflows/canonical-json.ts';
import { derivedColumns, type AuditEvent, type AuditRecord } from './events.ts';
import { eventHash, GENESIS, payloadDigest, sameBytes } from './hash.ts';

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

/** The last event before those that are verified, for a part of the trail; absent: the trail begins here. */
export type ChainStart = { seq: number; hash: Uint8Array; at: bigint };

/** `head` is the hash of the last event, or the start's where there are none. */
export type ChainVerdict =
  | { ok: true; head: Uint8Array; count: number }
  | { ok: false; firstBadSeq: number; problem: ChainProblem };

/**
 * Verifies the events of one organization in the order of their numbers; reads each once, so they may come from a stream.
 * Any edit, removal, insertion or exchange is found, but for two things that only a signed checkpoint can show: events
 * missing at the end, and a trail written anew from some event to its end. A part of the trail has to reach as far as the
 * record of each erasure in it.
 */
export function verifyChain(events: Iterable<AuditEvent>, start?: ChainStart): ChainVerdict {
  let last: ChainStart = start ?? { seq: 0, hash: GENESIS, at: -(2n ** 63n) };
  let orgId: string | null = null;
  let count = 0;
  const erased = new Set<number>();

  for (const event of events) {
    orgId ??= event.orgId;
    const problem = chainProblem(event, last, orgId) ?? payloadProblem(event);
    // A gap is reported under the number that is missing.
    if (problem !== null) return { ok: false, firstBadSeq: problem === 'gap' ? last.seq + 1 : event.seq, problem };
    if (event.payload === null || event.salt === null) erased.add(event.seq);
    else if (event.action === 'audit.erased') for (const seq of erasedSeqs(event.payload)) erased.delete(seq);
    last = event;
    count += 1;
  }
  for (const firstBadSeq of erased) return { ok: false, firstBadSeq, problem: 'erased' };
  return { ok: true, head: last.hash, count };
}

function chainProblem(event: AuditEvent, last: ChainStart, orgId: string): ChainProblem | null {
  if (event.orgId !== orgId) return 'organization';
  if (event.seq !== last.seq + 1) return 'gap';
  if (event.at < last.at) return 'order';
  if (!sameBytes(event.prev, last.hash)) return 'link';
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

function payloadProblem({ payload, salt, digest, ...columns }: AuditEvent): ChainProblem | null {
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

function erasedSeqs(payload: string): number[] {
  const record = readRecord(payload);
  const seqs = record?.data?.seqs;
  return Array.isArray(seqs) ? seqs.filter((seq): seq is number => typeof seq === 'number') : [];
}
