import type { Checkpoint } from './checkpoint.ts';
import { chainProblem, erasedBy, payloadProblem, type Before } from './event-problems.ts';
import type { AuditEvent } from './events.ts';
import type { Find } from './findings.ts';
import { GENESIS, sameBytes } from './hash.ts';
import { appendLeaf, appendNode, emptyRange, rootOf, type TreeNode, type TreeRange } from './merkle.ts';

/** Events that are not at hand: their numbers, both included, and the subtrees over their hashes. */
export type SkippedSpan = { from: number; to: number; nodes: readonly TreeNode[] };

/**
 * Walks the events of a trail in the order of their numbers, from the first on, and holds each checkpoint (smallest first)
 * against the tree as it has grown when it comes to it. What is wrong is told to `find` at once; what later events can
 * mend, at the end. Null for `orgId`: that of the first event.
 */
export function openTrailWalk({
  orgId,
  checkpoints,
  find,
}: {
  orgId: string | null;
  checkpoints: readonly Checkpoint[];
  find: Find;
}) {
  let before: Before = { seq: 0, hash: GENESIS, at: -(2n ** 63n) };
  // Null once numbers are missing: from there on no root can be had.
  let tree: TreeRange | null = emptyRange();
  let next = 0;
  let events = 0;
  let skipped = 0;
  let sealed: Checkpoint | null = null;
  let head: { seq: number; hash: Uint8Array } | null = null;
  const erased = new Set<number>();

  const compare = (): void => {
    for (
      let checkpoint = checkpoints[next];
      checkpoint && checkpoint.size <= before.seq;
      checkpoint = checkpoints[next]
    ) {
      next += 1;
      // A checkpoint within a skipped span can't be had; those around it hold it.
      if (checkpoint.size < before.seq || tree === null) continue;
      const hasRoot = sameBytes(rootOf(tree), checkpoint.root);
      const hasHead = before.hash === null || sameBytes(before.hash, checkpoint.head);
      if (hasRoot && hasHead) sealed = checkpoint;
      else find(before.hash !== null && hasHead ? 'root' : 'rewrite', { seq: checkpoint.size });
    }
  };

  return {
    event: (event: AuditEvent): void => {
      const problem = chainProblem(event, before, orgId ?? event.orgId) ?? payloadProblem(event);
      if (problem !== null) find(problem, { seq: problem === 'gap' ? before.seq + 1 : event.seq });
      if (event.payload === null) erased.add(event.seq);
      else for (const seq of erasedBy(event)) erased.delete(seq);
      if (problem === 'gap') tree = null;
      else if (tree !== null) tree = appendLeaf(tree, event.hash);
      before = event;
      head = { seq: event.seq, hash: event.hash };
      events += 1;
      compare();
    },
    skipped: ({ from, to, nodes }: SkippedSpan): void => {
      const grown = from === before.seq + 1 ? withNodes(tree, nodes, to) : null;
      if (from !== before.seq + 1) find('gap', { seq: before.seq + 1 });
      else if (tree !== null && grown === null) find('unreadable', { seq: from });
      tree = grown;
      skipped += Math.max(0, to - from + 1);
      before = { seq: to, hash: null, at: before.at };
      compare();
    },
    finish: () => {
      for (const seq of erased) find('erased', { seq });
      const end = sealed?.size ?? 0;
      if (head !== null && head.seq > end) find('unsealed', { seq: end + 1 });
      return { events, skipped, head, sealed, last: before.seq };
    },
  };
}

/** The tree with a span behind it; null where these are not the subtrees that make it up. */
function withNodes(tree: TreeRange | null, nodes: SkippedSpan['nodes'], to: number): TreeRange | null {
  if (tree === null) return null;
  try {
    const grown = nodes.reduce(appendNode, tree);
    return grown.to === to ? grown : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
