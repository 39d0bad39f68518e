import { appendNode, emptyRange, inclusionProofRanges, merkleRoot, rootOf, treeOf } from '@stet/domain/audit';
import type { Tx } from '../../kernel/database.ts';
import { findCheckpointFrom, listEventHashes } from './proof.sql.ts';
import { peaksOf } from './seal-trail.ts';

// Up to this level, the hashes of events are read in blocks of 2^LEVEL.
const LEVEL = 10;
const BLOCK = 2 ** LEVEL;

/**
 * Returns a function that proves that the tree of the first `size` events contains an event (RFC 9162). If stored
 * checkpoints contain the larger subtrees, it reads only the events around this one. It doesn't check the hashes that
 * it reads, because a wrong hash leads to a different root than the signed one.
 */
export function openInclusionProofs(
  tx: Pick<Tx, 'many' | 'maybeOne'>,
  orgId: string,
  size: number,
): (seq: number) => Promise<Uint8Array[]> {
  const known = new Map<string, Promise<Uint8Array>>();
  const blocks = new Map<number, Promise<{ hash: Uint8Array }[]>>();

  const blockAt = (from: number): Promise<{ hash: Uint8Array }[]> => {
    const block = blocks.get(from) ?? tx.many(listEventHashes, { orgId, from: from + 1, to: from + BLOCK });
    blocks.set(from, block);
    return block;
  };
  /** The hash of the complete subtree of 2^level leaves that begins at `start`. */
  const subtree = (level: number, start: number): Promise<Uint8Array> => {
    const name = `${level} ${start}`;
    const hash = known.get(name) ?? readSubtree(level, start);
    known.set(name, hash);
    return hash;
  };
  const readSubtree = async (level: number, start: number): Promise<Uint8Array> => {
    const width = 2 ** level;
    if (level <= LEVEL) {
      const from = start - (start % BLOCK);
      const block = await blockAt(from);
      return merkleRoot(block.slice(start - from, start - from + width).map(({ hash }) => hash));
    }
    // A left child is a peak of each checkpoint that includes it but not the whole of its right sibling.
    if (start % (width * 2) === 0) {
      const row = await tx.maybeOne(findCheckpointFrom, { orgId, size: start + width });
      const peak =
        row && row.size < start + width * 2
          ? treeOf(row.size, peaksOf(row)).nodes.find((node) => node.level === level)
          : undefined;
      if (peak) return peak.hash;
    }
    const left = { level: level - 1, hash: await subtree(level - 1, start) };
    const right = { level: level - 1, hash: await subtree(level - 1, start + width / 2) };
    const [node] = appendNode(appendNode(emptyRange(start), left), right).nodes;
    if (!node) throw new Error('two subtrees form no node');
    return node.hash;
  };
  /** The hash of one range of a proof, which consists of complete subtrees, largest first. */
  const rangeHash = async ({ from, to }: { from: number; to: number }): Promise<Uint8Array> => {
    const nodes = [];
    for (let start = from; start < to;) {
      const level = Math.floor(Math.log2(to - start));
      nodes.push({ level, hash: await subtree(level, start) });
      start += 2 ** level;
    }
    return rootOf({ from: 0, to: to - from, nodes });
  };

  return async (seq) => {
    const proof: Uint8Array[] = [];
    for (const range of inclusionProofRanges(seq - 1, size)) proof.push(await rangeHash(range));
    return proof;
  };
}
