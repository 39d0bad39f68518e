import { sha256 } from '@noble/hashes/sha2';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils';

/** The version of the hashed format; a new format gets a new number, so old events stay verifiable. */
const AUDIT_HASH_VERSION = 1;

/** The predecessor hash of an organization's first event: 32 zero bytes. */
export const GENESIS: Uint8Array = new Uint8Array(32);

/** The fields that an event's hash covers in addition to the version; `at` in microseconds since 1970. */
type HashedFields = { orgId: string; seq: number; at: bigint; prev: Uint8Array; digest: Uint8Array };

/** Returns SHA-256(salt ‖ payload): 32 bytes that remain if salt and payload are erased. */
export function payloadDigest(salt: Uint8Array, payload: string): Uint8Array {
  return sha256(concatBytes(salt, utf8ToBytes(payload)));
}

/**
 * Returns an event's hash, 32 bytes: SHA-256(0x00 ‖ version ‖ org, 16 bytes ‖ seq, int8 big-endian ‖ time µs, int8
 * big-endian ‖ prev ‖ digest). The leading zero byte is the leaf prefix of RFC 6962. Throws `RangeError` if a field
 * doesn't fit its bytes.
 */
export function eventHash({ orgId, seq, at, prev, digest }: HashedFields): Uint8Array {
  if (!Number.isSafeInteger(seq) || seq < 1) throw new RangeError(`${seq} is not a sequence number`);
  if (prev.length !== 32 || digest.length !== 32) throw new RangeError('a hash must have 32 bytes');
  const head = Uint8Array.of(0x00, AUDIT_HASH_VERSION);
  return sha256(concatBytes(head, uuidBytes(orgId), int8(BigInt(seq)), int8(at), prev, digest));
}

/** True if both have the same bytes. Don't use it for secrets: its run time reveals where they differ. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function uuidBytes(uuid: string): Uint8Array {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid))
    throw new RangeError(`${uuid} is not a lower-case UUID`);
  return hexToBytes(uuid.replaceAll('-', ''));
}

function int8(value: bigint): Uint8Array {
  if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${value} does not fit into 8 bytes`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value);
  return bytes;
}
