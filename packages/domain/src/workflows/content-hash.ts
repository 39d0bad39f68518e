import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { canonicalJson, sameJson } from './canonical-json.ts';
import type { WorkflowContent } from './content.ts';

/**
 * Returns the SHA-256, in lower-case hex, of the canonical JSON of metadata and steps. Approvals refer to it, and
 * merges compare it. Other properties of the object are ignored. An `undefined` property equals an absent one; nothing
 * else is normalized, so an extra space or a different order of `next` changes the hash.
 */
export function contentHash({ metadata, steps }: WorkflowContent): string {
  return sha256Hex(utf8ToBytes(canonicalJson({ metadata, steps })));
}

/** Returns the SHA-256 digest of bytes in lower-case hex. */
export const sha256Hex = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));

/** True if two contents have the same hash. */
export function sameContent(a: WorkflowContent, b: WorkflowContent): boolean {
  return sameJson(a.metadata, b.metadata) && sameJson(a.steps, b.steps);
}
