import type { Checkpoint } from '../checkpoint.ts';
import type { Before } from '../event-problems.ts';
import type { MacCheck } from '../event-mac.ts';
import type { AuditEvent } from '../events.ts';
import type { Find } from '../findings.ts';
import type { TreeNode } from '../merkle.ts';
import { areSame } from './bytes.ts';
import { macProblemOf, problemOf } from './events.ts';
import { type Counter, NO_LEAVES, appendSubtree, rootOfCounter } from './tree.ts';

/** The position of a walk: the last event, and the tree up to it; a later walk can continue there. */
export type WalkState = { seq: number; hash: Uint8Array; at: bigint; tree: Counter };

/** Omitted events: their first and last number, and the subtrees over their hashes. */
export type SkippedSpan = { from: number; to: number; nodes: readonly TreeNode[] };

/**
 * Walks the events of a trail in order, from the first one or from `start`, and compares each checkpoint (smallest
 * first) with the tree at its size. Reports each problem to `find`. If `orgId` is null, the first event's organization
 * is used. Without `macs`, MACs are not checked.
 */
export function openTrailWalk({
  orgId,
  checkpoints,
  find,
  macs = null,
  start = null,
}: {
  orgId: string | null;
  checkpoints: readonly Checkpoint[];
  find: Find;
  macs?: MacCheck | null;
  start?: WalkState | null;
}) {
  let before: Before = start ?? { seq: 0, hash: new Uint8Array(32), at: -(2n ** 63n) };
  // Null after a gap in the numbers, because no root can be computed from there on.
  let tree: Counter | null = start?.tree ?? NO_LEAVES;
  let next = 0;
  let events = 0;
  let skipped = 0;
  let sealed: Checkpoint | null = null;
  let head: { seq: number; hash: Uint8Array } | null = null;
  const matched = new Set<Checkpoint>();
  // Unreadable lines since the last event; the next event shows which numbers they had.
  let lost: number[] = [];

  /** Attributes unreadable lines to missing events. Returns the number of attributed lines. */
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
      // A checkpoint within a skipped span can't be checked; the checkpoints around it cover it.
      if (checkpoint.size < before.seq || tree === null) continue;
      const hasRoot = areSame(rootOfCounter(tree), checkpoint.root);
      const hasHead = before.hash === null || areSame(before.hash, checkpoint.head);
      if (hasRoot && hasHead) {
        sealed = checkpoint;
        matched.add(checkpoint);
      } else find(before.hash !== null && hasHead ? 'root' : 'rewrite', { seq: checkpoint.size });
    }
  };

  return {
    /** Records an unreadable line among the events. */
    unreadable: (line: number): void => void lost.push(line),
    event: (event: AuditEvent): void => {
      const named = nameLost(event.seq - before.seq - 1);
      if (named > 0) {
        tree = null;
        before = { seq: before.seq + named, hash: null, at: before.at };
      }
      const problem = problemOf(event, before, orgId ?? event.orgId) ?? (macs && macProblemOf(event, macs));
      if (problem !== null) find(problem, { seq: problem === 'gap' ? before.seq + 1 : event.seq });
      if (problem === 'gap') tree = null;
      else if (tree !== null) tree = appendSubtree(tree, 0, event.hash);
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
    /** The current position; null after a gap in the numbers or a skipped span. */
    state: (): WalkState | null =>
      tree === null || before.hash === null ? null : { seq: before.seq, hash: before.hash, at: before.at, tree },
    /** Ends the walk and returns its result. `last`: the number of the expected last event, if known. */
    finish: (last?: number) => {
      const named = nameLost((last ?? before.seq) - before.seq);
      const end = sealed?.size ?? 0;
      if (head !== null && head.seq > end) find('unsealed', { seq: end + 1 });
      return { events, skipped, head, sealed, matched, last: before.seq + named };
    },
  };
}

/** Returns the tree with a span appended; null if the subtrees don't match its range. */
function withNodes(tree: Counter | null, nodes: SkippedSpan['nodes'], to: number): Counter | null {
  let spanned = tree;
  for (const { level, hash } of nodes) spanned = spanned && appendSubtree(spanned, level, hash);
  return spanned?.size === to ? spanned : null;
}
