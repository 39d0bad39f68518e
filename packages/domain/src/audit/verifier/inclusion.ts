import { sha256 } from '@noble/hashes/sha2';
import { concatBytes } from '@noble/hashes/utils';

const above = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concatBytes(Uint8Array.of(1), left, right));

/**
 * Returns the root that an inclusion proof leads to (RFC 9162, section 2.1.3.2). `index` counts from 0. Null if the
 * proof's length doesn't fit this index and size.
 */
export function rootOfProof(
  leaf: Uint8Array,
  { index, size, proof }: { index: number; size: number; proof: readonly Uint8Array[] },
): Uint8Array | null {
  let [at, last] = [index, size - 1];
  let root = leaf;
  for (const sibling of proof) {
    if (last === 0) return null;
    const isRight = at % 2 === 1;
    root = isRight || at === last ? above(sibling, root) : above(root, sibling);
    // A last node without a sibling moves up unchanged until it is a right child.
    while (!isRight && at === last && at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : null;
}
