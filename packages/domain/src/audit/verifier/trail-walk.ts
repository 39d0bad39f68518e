import type { Checkpoint } from '../checkpoint.ts';
import type { Before } from '../event-problems.ts';
import type { AuditEvent } from '../events.ts';
import type { Find } from '../findings.ts';
import type { TreeNode } from '../merkle.ts';
import { areSame } from './bytes.ts';
import { erasuresIn, problemOf } from './events.ts';
import { type Counter, NO_LEAVES, grown, rootOfCounter } from './tree.ts';

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
  let before: Before = { seq: 0, hash: new Uint8Array(32), at: -(2n ** 63n) };
  // Null once numbers are missing: from there on no root can be had.
  let tree: Counter | null = NO_LEAVES;
  let next = 0;
  let events = 0;
  let skipped = 0;
  let sealed: Checkpoint | null = null;
  let head: { seq: number; hash: Uint8Array } | null = null;
  const erased = new Set<number>();
  const held = new Set<Checkpoint>();
  // Lines that can't be read since the last event: which events they were is known once the next one is there.
  let lost: number[] = [];

  /** Names what can't be read by the events that are missing there; answers how many of those it accounts for. */
  const nameLost = (missing: number): number => {
    const named = Math.min(Math.max(0, missing), lost.length);
    for (const [at, line] of lost.entries()) find('unreadable', { seq: at < named ? before.seq + at + 1 : null, line });
    lost = [];
    return named;
  };
  const compare = (): void => {
    for (
      let checkpoint = checkpoints[next];
      checkpoint && checkpoint.size <= before.seq;
      checkpoint = checkpoints[next]
    ) {
      next += 1;
      // A checkpoint within a skipped span can't be had; those around it hold it.
      if (checkpoint.size < before.seq || tree === null) continue;
      const hasRoot = areSame(rootOfCounter(tree), checkpoint.root);
      const hasHead = before.hash === null || areSame(before.hash, checkpoint.head);
      if (hasRoot && hasHead) {
        sealed = checkpoint;
        held.add(checkpoint);
      } else find(before.hash !== null && hasHead ? 'root' : 'rewrite', { seq: checkpoint.size });
    }
  };

  return {
    /** A line that can't be read, where events stand. */
    unreadable: (line: number): void => void lost.push(line),
    event: (event: AuditEvent): void => {
      const named = nameLost(event.seq - before.seq - 1);
      if (named > 0) {
        tree = null;
        before = { seq: before.seq + named, hash: null, at: before.at };
      }
      const problem = problemOf(event, before, orgId ?? event.orgId);
      if (problem !== null) find(problem, { seq: problem === 'gap' ? before.seq + 1 : event.seq });
      if (event.payload === null) erased.add(event.seq);
      else for (const seq of erasuresIn(event)) erased.delete(seq);
      if (problem === 'gap') tree = null;
      else if (tree !== null) tree = grown(tree, 0, event.hash);
      before = event;
      head = { seq: event.seq, hash: event.hash };
      events += 1;
      compare();
    },
    skipped: ({ from, to, nodes }: SkippedSpan): void => {
      const named = nameLost(from - before.seq - 1);
      if (named > 0) {
        tree = null;
        before = { seq: before.seq + named, hash: null, at: before.at };
      }
      const spanned = from === before.seq + 1 ? withNodes(tree, nodes, to) : null;
      if (from !== before.seq + 1) find('gap', { seq: before.seq + 1 });
      else if (tree !== null && spanned === null) find('unreadable', { seq: from });
      tree = spanned;
      skipped += Math.max(0, to - from + 1);
      before = { seq: to, hash: null, at: before.at };
      compare();
    },
    /** What came of it, once all is told. `last`: the number of the last event that there should be, where that is known. */
    finish: (last?: number) => {
      const named = nameLost((last ?? before.seq) - before.seq);
      for (const seq of erased) find('erased', { seq });
      const end = sealed?.size ?? 0;
      if (head !== null && head.seq > end) find('unsealed', { seq: end + 1 });
      return { events, skipped, head, sealed, held, last: before.seq + named };
    },
  };
}

/** The tree with a span behind it; null where these are not the subtrees that make it up. */
function withNodes(tree: Counter | null, nodes: SkippedSpan['nodes'], to: number): Counter | null {
  let spanned = tree;
  for (const { level, hash } of nodes) spanned = spanned && grown(spanned, level, hash);
  return spanned?.size === to ? spanned : null;
}
