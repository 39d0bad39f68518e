import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { canonicalJson, sameJson } from './canonical-json.ts';
import type { WorkflowContent } from './step.ts';

/**
 * The SHA-256, in lower-case hex, of the canonical JSON of metadata and steps: what an approval is of, and what a merge
 * compares (rulings, section 5). Further properties of the object that is passed don't count. Nothing is normalised but
 * that an `undefined` property is the same as an absent one: a blank more, or another order of `next`, is another hash.
 */
export function contentHash({ metadata, steps }: WorkflowContent): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson({ metadata, steps }))));
}

/** True when two contents would have the same hash. */
export function sameContent(a: WorkflowContent, b: WorkflowContent): boolean {
  return sameJson(a.metadata, b.metadata) && sameJson(a.steps, b.steps);
}
