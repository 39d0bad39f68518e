import { sha256 } from '@noble/hashes/sha2';
import { concatBytes } from '@noble/hashes/utils';

/**
 * A growing RFC 6962 tree as a binary counter. If bit n of the size is set, place n has the hash of a complete subtree
 * with 2^n leaves. Appending a leaf merges subtrees of equal size, like a carry in binary addition.
 */
export type Counter = { readonly size: number; readonly places: ReadonlyMap<number, Uint8Array> };

export const NO_LEAVES: Counter = { size: 0, places: new Map() };

const above = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concatBytes(Uint8Array.of(1), left, right));

/** Returns the tree with a complete subtree of 2^level leaves appended; null if none begins at that position. */
export function appendSubtree({ size, places }: Counter, level: number, hash: Uint8Array): Counter | null {
  const width = 2 ** level;
  if (size % width !== 0 || !Number.isSafeInteger(size + width)) return null;
  const next = new Map(places);
  let [place, carried] = [level, hash];
  for (let left = next.get(place); left !== undefined; left = next.get(place)) {
    next.delete(place);
    carried = above(left, carried);
    place += 1;
  }
  return { size: size + width, places: next.set(place, carried) };
}

/** Returns the root, 32 bytes; the SHA-256 of no bytes for an empty tree. */
export function rootOfCounter({ places }: Counter): Uint8Array {
  let root: Uint8Array | null = null;
  for (const [, hash] of [...places].toSorted(([one], [other]) => one - other))
    root = root === null ? hash : above(hash, root);
  return root ?? sha256(new Uint8Array());
}
