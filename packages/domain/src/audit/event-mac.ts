import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import type { AuditEvent } from './events.ts';
import { momentText } from './moment.ts';

/**
 * The fields that an event's MAC covers. `madeAt` is the time on the server's clock in microseconds since 1970. The
 * payload is covered through its digest.
 */
type MacFields = Pick<AuditEvent, 'orgId' | 'actor' | 'action' | 'subjectType' | 'subjectId' | 'runId' | 'digest'> & {
  madeAt: bigint;
};

/**
 * How the MACs of a trail are verified: `isMac` checks HMAC-SHA-256 with the installation's key. Events up to `none`
 * are older than MACs; signed checkpoints prove them instead.
 */
export type MacCheck = { none: number; isMac: (message: Uint8Array, mac: Uint8Array) => boolean };

/** Returns the message of an event's MAC: canonical JSON of a version and the fields. */
export function macMessage({
  orgId,
  actor,
  action,
  subjectType,
  subjectId,
  runId,
  madeAt,
  digest,
}: MacFields): Uint8Array {
  const fields = [orgId, actor, action, subjectType, subjectId, runId, momentText(madeAt), bytesToHex(digest)];
  // For strings and null, `JSON.stringify` is canonical (RFC 8785, 3.2.2) and several times faster than
  // `canonicalJson`.
  return utf8ToBytes(JSON.stringify(['stet event mac 1', ...fields]));
}

/** Returns `mac` if the event's MAC is wrong, or missing although the event needs one, else null. */
export function macProblem(event: AuditEvent, { none, isMac }: MacCheck): 'mac' | null {
  if (event.mac === null) return event.seq <= none ? null : 'mac';
  try {
    return isMac(macMessage({ ...event, madeAt: event.mac.madeAt }), event.mac.bytes) ? null : 'mac';
  } catch (error) {
    // `momentText` throws for an out-of-range time, which only an edited row can contain.
    if (error instanceof RangeError) return 'mac';
    throw error;
  }
}
