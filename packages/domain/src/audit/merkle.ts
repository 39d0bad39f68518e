import { sha256 } from '@noble/hashes/sha2';
import { concatBytes } from '@noble/hashes/utils';

/** A complete subtree of 2^level leaves. */
export type TreeNode = { level: number; hash: Uint8Array };

/**
 * The leaves from `from` to `to` (exclusive), as the fewest complete subtrees that cover them. A growing tree only has
 * to store these, and they can replace missing leaves. A whole tree begins at 0.
 */
export type TreeRange = { readonly from: number; readonly to: number; readonly nodes: readonly TreeNode[] };

/**
 * Returns SHA-256(0x01 ‖ left ‖ right), as in RFC 6962. Leaves are event hashes, which already include the 0x00 prefix.
 */
function parentHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(Uint8Array.of(0x01), left, right));
}

/** Returns an empty range at a position in the tree. */
export function emptyRange(at = 0): TreeRange {
  return { from: at, to: at, nodes: [] };
}

/** Returns the range with one leaf appended. */
export function appendLeaf(range: TreeRange, hash: Uint8Array): TreeRange {
  return appendNode(range, { level: 0, hash });
}

/** Returns the range with a complete subtree appended. Throws `RangeError` if no such subtree begins there. */
export function appendNode(range: TreeRange, added: TreeNode): TreeRange {
  const width = 2 ** added.level;
  if (!Number.isSafeInteger(added.level) || added.level < 0 || range.to % width !== 0) {
    throw new RangeError(`no subtree of level ${added.level} begins at leaf ${range.to}`);
  }
  const nodes = [...range.nodes];
  let { level, hash } = added;
  let start = range.to;
  for (let left = nodes.at(-1); left?.level === level; left = nodes.at(-1)) {
    const leftStart = start - 2 ** level;
    // Two neighbors form one subtree only if the left one is a left child.
    if (leftStart % 2 ** (level + 1) !== 0) break;
    nodes.pop();
    hash = parentHash(left.hash, hash);
    level += 1;
    start = leftStart;
  }
  nodes.push({ level, hash });
  return { from: range.from, to: range.to + width, nodes };
}

/**
 * Returns the RFC 6962 root of a whole tree, 32 bytes. For an empty tree, it is the SHA-256 of no bytes. Throws
 * `RangeError` for a part of a tree.
 */
export function rootOf(tree: TreeRange): Uint8Array {
  if (tree.from !== 0) throw new RangeError('only a complete tree has a root');
  return (
    tree.nodes
      .map(({ hash }) => hash)
      .reduceRight<Uint8Array | null>((right, left) => (right === null ? left : parentHash(left, right)), null) ??
    sha256(new Uint8Array())
  );
}

/** Returns the RFC 6962 root of these leaves. */
export function merkleRoot(leaves: Iterable<Uint8Array>): Uint8Array {
  let tree = emptyRange();
  for (const leaf of leaves) tree = appendLeaf(tree, leaf);
  return rootOf(tree);
}

/**
 * Returns a whole tree from its size and the hashes of its subtrees, largest first. Throws `RangeError` if their number
 * doesn't match the size.
 */
export function treeOf(size: number, peaks: readonly Uint8Array[]): TreeRange {
  const levels: number[] = [];
  for (let level = 52; level >= 0; level--) if (Math.floor(size / 2 ** level) % 2 === 1) levels.push(level);
  if (levels.length !== peaks.length) throw new RangeError(`a tree of ${size} leaves has ${levels.length} subtrees`);
  const nodes = peaks.map((hash, at): TreeNode => ({ level: levels[at] ?? 0, hash }));
  return { from: 0, to: size, nodes };
}

/**
 * Returns the subtrees whose hashes form the inclusion proof of a leaf (RFC 9162), from the leaf to the root. `index`
 * counts from 0. Each subtree is a range of leaves, `to` exclusive.
 */
export function inclusionProofRanges(index: number, size: number): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    let half = 1;
    while (half * 2 < to - from) half *= 2;
    const middle = from + half;
    ranges.push(index < middle ? { from: middle, to } : { from, to: middle });
    if (index < middle) to = middle;
    else from = middle;
  }
  return ranges.toReversed();
}
