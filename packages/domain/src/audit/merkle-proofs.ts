import { sameBytes } from './hash.ts';
import { merkleRoot, parentHash } from './merkle.ts';

/** The largest power of two below `n`; `n` is at least 2. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** The hashes beside the way from a leaf up to the root, nearest first (RFC 6962, section 2.1.1). */
export function inclusionProof(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  if (!Number.isSafeInteger(index) || index < 0 || index >= leaves.length) throw new RangeError(`no leaf ${index}`);
  if (leaves.length === 1) return [];
  const k = split(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return index < k
    ? [...inclusionProof(left, index), merkleRoot(right)]
    : [...inclusionProof(right, index - k), merkleRoot(left)];
}

/** True when the leaf is the one at `index` of the tree that has this size and root. */
export function isIncluded(input: {
  leaf: Uint8Array;
  index: number;
  size: number;
  root: Uint8Array;
  proof: readonly Uint8Array[];
}): boolean {
  const { leaf, index, size, root, proof } = input;
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let at = index;
  let last = size - 1;
  let hash = leaf;
  for (const beside of proof) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = parentHash(beside, hash);
      // The last node of a level without a neighbour goes up as it is.
      while (at % 2 === 0 && at !== 0) {
        at /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = parentHash(hash, beside);
    }
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && sameBytes(hash, root);
}

/** Shows that the tree of the first `size` leaves is the beginning of the tree of all (RFC 6962, section 2.1.2). */
export function consistencyProof(leaves: readonly Uint8Array[], size: number): Uint8Array[] {
  if (!Number.isSafeInteger(size) || size < 1 || size > leaves.length) throw new RangeError(`no tree of ${size}`);
  return subproof(leaves, size, true);
}

function subproof(leaves: readonly Uint8Array[], size: number, isKnown: boolean): Uint8Array[] {
  if (size === leaves.length) return isKnown ? [] : [merkleRoot(leaves)];
  const k = split(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return size <= k
    ? [...subproof(left, size, isKnown), merkleRoot(right)]
    : [...subproof(right, size - k, false), merkleRoot(left)];
}

/** True when the first tree is the beginning of the second. */
export function isConsistent(input: {
  first: { size: number; root: Uint8Array };
  second: { size: number; root: Uint8Array };
  proof: readonly Uint8Array[];
}): boolean {
  const { first, second, proof } = input;
  if (first.size < 1 || first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && sameBytes(first.root, second.root);
  let at = first.size - 1;
  let last = second.size - 1;
  while (at % 2 === 1) {
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  // The first tree is complete: its root is where the way begins, and the proof leaves it out.
  const way = at === 0 ? [first.root, ...proof] : [...proof];
  const start = way.shift();
  if (start === undefined) return false;
  let [firstHash, secondHash] = [start, start];
  for (const beside of way) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      firstHash = parentHash(beside, firstHash);
      secondHash = parentHash(beside, secondHash);
      while (at % 2 === 0 && at !== 0) {
        at /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      secondHash = parentHash(secondHash, beside);
    }
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && sameBytes(firstHash, first.root) && sameBytes(secondHash, second.root);
}
