import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils';
import type { Before, ChainProblem } from '../event-problems.ts';
import type { MacCheck } from '../event-mac.ts';
import type { AuditEvent } from '../events.ts';
import { areSame, bytesOfHex, canonicalText } from './bytes.ts';

const HASH_VERSION = 1;

/** Returns the problem with an event's position, hash or content; null if there is none. */
export function problemOf(event: AuditEvent, before: Before, orgId: string): ChainProblem | null {
  if (event.orgId !== orgId) return 'organization';
  if (event.seq !== before.seq + 1) return 'gap';
  if (event.at < before.at) return 'order';
  if (before.hash !== null && !areSame(event.prev, before.hash)) return 'link';
  if (event.digest.length !== 32) return 'digest';
  const hash = hashOf(event);
  if (hash === null || !areSame(event.hash, hash)) return 'hash';
  const { payload, salt } = event;
  if (payload === null || salt === null) return 'erased';
  if (!areSame(event.digest, sha256(concatBytes(salt, utf8ToBytes(payload))))) return 'digest';
  const record = recordOf(payload);
  if (record === null) return 'form';
  const { actor, action, subject, runId = null } = record;
  if (action === 'audit.erased') return 'erased';
  const isFiledSo =
    event.actor === actor['id'] &&
    event.action === action &&
    event.subjectType === subject['type'] &&
    event.subjectId === subject['id'] &&
    event.runId === runId;
  return isFiledSo ? null : 'derived';
}

/** Returns SHA-256(0x00 ‖ version ‖ org ‖ number ‖ time ‖ prev ‖ digest); null if a field doesn't fit its bytes. */
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
type SaidRecord = { actor: Fields; subject: Fields; action?: unknown; runId?: unknown };

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

/** Returns `mac` if the event's MAC is wrong, or missing although the event needs one, else null. */
export function macProblemOf(event: AuditEvent, { none, isMac }: MacCheck): 'mac' | null {
  const { mac, seq, orgId, actor, action, subjectType, subjectId, runId, digest } = event;
  if (mac === null) return seq > none ? 'mac' : null;
  const moment = isoOf(mac.madeAt);
  if (moment === null) return 'mac';
  const fields = ['stet event mac 1', orgId, actor, action, subjectType, subjectId, runId, moment, bytesToHex(digest)];
  return isMac(utf8ToBytes(canonicalText(fields)), mac.bytes) ? null : 'mac';
}

/** Returns ISO 8601 with microseconds; null beyond the supported dates. */
function isoOf(at: bigint): string | null {
  const ms = at / 1000n;
  if (at < 0n || ms > 8_640_000_000_000_000n) return null;
  return new Date(Number(ms)).toISOString().replace('Z', `${String(at % 1000n).padStart(3, '0')}Z`);
}
