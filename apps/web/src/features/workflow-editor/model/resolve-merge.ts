import { resolveConflicts } from '@stet/domain/drafts';
import type { MergeConflict } from '@stet/domain/drafts';
import type { WorkflowContent } from '@stet/domain/workflows';

export type MergeSide = 'mine' | 'theirs';
/** The common base, the server's current version, and the person's own. */
export type MergeSides = { base: WorkflowContent; theirs: WorkflowContent; mine: WorkflowContent };
/** A conflict that the person must decide. The type and settings of a step are one conflict. */
export type MergeQuestion = { id: string; conflict: MergeConflict };
type ResolvedMerge = {
  /** The merged content. Until a conflict is answered, the person's own version applies. */
  content: WorkflowContent;
  questions: readonly MergeQuestion[];
  /** The number of unanswered conflicts. */
  open: number;
};

const SIDE = { mine: { take: 'draft' }, theirs: { take: 'live' } } as const;

/** Merges the server's version with the person's own, as a rebase merges the live version with a draft. */
export function resolveMerge(
  { base, theirs, mine }: MergeSides,
  answers: ReadonlyMap<string, MergeSide>,
): ResolvedMerge {
  const sides = { base, live: theirs, draft: mine };
  return resolveConflicts(sides, new Map([...answers].map(([id, side]) => [id, SIDE[side]])));
}
