import { settleConflicts } from '@stet/domain/drafts';
import type { MergeConflict } from '@stet/domain/drafts';
import type { WorkflowContent } from '@stet/domain/workflows';

export type MergeSide = 'mine' | 'theirs';
/** What both began from, what is on the server now, and what is on the screen. */
export type MergeSides = { base: WorkflowContent; theirs: WorkflowContent; mine: WorkflowContent };
/** One thing to settle: a type and its settings go together. */
export type MergeQuestion = { id: string; conflict: MergeConflict };
type SettledMerge = {
  /** With every question that has an answer settled by it; the others as on the screen for the time being. */
  content: WorkflowContent;
  questions: readonly MergeQuestion[];
  /** How many questions have no answer. */
  open: number;
};

const SIDE = { mine: { take: 'draft' }, theirs: { take: 'live' } } as const;

/** The merge of two saves of one draft: as a rebase, with what is saved in the place of the live version. */
export function settleMerge({ base, theirs, mine }: MergeSides, answers: ReadonlyMap<string, MergeSide>): SettledMerge {
  const sides = { base, live: theirs, draft: mine };
  return settleConflicts(sides, new Map([...answers].map(([id, side]) => [id, SIDE[side]])));
}
