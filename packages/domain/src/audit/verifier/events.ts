import { sha256 } from '@noble/hashes/sha2';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils';
import type { Before, ChainProblem } from '../event-problems.ts';
import type { AuditEvent } from '../events.ts';
import { areSame, bytesOfHex, canonicalText } from './bytes.ts';

const HASH_VERSION = 1;

/** What is wrong with an event's place behind another, with its hash, or with what it says; null where nothing is. */
export function problemOf(event: AuditEvent, before: Before, orgId: string): ChainProblem | null {
  if (event.orgId !== orgId) return 'organization';
  if (event.seq !== before.seq + 1) return 'gap';
  if (event.at < before.at) return 'order';
  if (before.hash !== null && !areSame(event.prev, before.hash)) return 'link';
  if (event.digest.length !== 32) return 'digest';
  const hash = hashOf(event);
  if (hash === null || !areSame(event.hash, hash)) return 'hash';
  const { payload, salt } = event;
  if (payload === null || salt === null) return payload === null && salt === null ? null : 'erased';
  if (!areSame(event.digest, sha256(concatBytes(salt, utf8ToBytes(payload))))) return 'digest';
  const record = recordOf(payload);
  if (record === null) return 'form';
  const { actor, action, subject, runId = null } = record;
  const isFiledSo =
    event.actor === actor['id'] &&
    event.action === action &&
    event.subjectType === subject['type'] &&
    event.subjectId === subject['id'] &&
    event.runId === runId;
  return isFiledSo ? null : 'derived';
}

/** The numbers of the events that this one says were erased. */
export function erasuresIn({ action, payload }: AuditEvent): number[] {
  if (action !== 'audit.erased' || payload === null) return [];
  const data = recordOf(payload)?.data;
  const seqs: unknown = typeof data === 'object' && data !== null && 'seqs' in data ? data.seqs : null;
  return Array.isArray(seqs) ? seqs.filter((seq): seq is number => typeof seq === 'number') : [];
}

/** SHA-256(0x00 ‖ version ‖ org ‖ number ‖ moment ‖ prev ‖ digest); null where the fields have no such bytes. */
function hashOf({ orgId, seq, at, prev, digest }: AuditEvent): Uint8Array | null {
  const org = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(orgId)
    ? bytesOfHex(orgId.replaceAll('-', ''))
    : null;
  if (org?.length !== 16 || prev.length !== 32 || seq < 1 || at !== BigInt.asIntN(64, at)) return null;
  const head = new DataView(new ArrayBuffer(34));
  head.setUint8(1, HASH_VERSION);
  for (const [place, byte] of org.entries()) head.setUint8(2 + place, byte);
  head.setBigInt64(18, BigInt(seq));
  head.setBigInt64(26, at);
  return sha256(concatBytes(new Uint8Array(head.buffer), prev, digest));
}

type Fields = Readonly<Record<string, unknown>>;
type SaidRecord = { actor: Fields; subject: Fields; action?: unknown; runId?: unknown; data?: unknown };

function recordOf(payload: string): SaidRecord | null {
  try {
    const value: unknown = JSON.parse(payload);
    return isRecord(value) && canonicalText(value) === payload ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is SaidRecord {
  const { actor, subject } = (value ?? {}) as Fields;
  return typeof actor === 'object' && actor !== null && typeof subject === 'object' && subject !== null;
}
