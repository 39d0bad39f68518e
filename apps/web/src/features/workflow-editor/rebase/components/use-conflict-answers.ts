import type { RebaseQuestion } from '@stet/contract';
import { resolveConflicts } from '@stet/domain/drafts';
import type { Answer, MergeSides, ResolvedMerge } from '@stet/domain/drafts';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { answersOf, stillValid, withAnswers } from '../model/answers.ts';
import type { Asked, GivenAnswers } from '../model/answers.ts';
import { savedAnswers } from '../model/saved-answers.ts';

export type ConflictAnswers = {
  sides: MergeSides;
  resolved: ResolvedMerge;
  /** Gives the same answer to each of the conflicts. */
  answer: (questions: readonly Asked[], answer: Answer) => void;
  /** Removes the answers from the tab's storage after the rebase. */
  forget: () => void;
};

/**
 * The answers so far and the resulting merge. Answers survive a reload. If one side changes, answers that no longer
 * apply are ignored.
 */
export function useConflictAnswers({ draftId, live, base, draft }: RebaseQuestion): ConflictAnswers {
  const sides = useMemo(() => ({ base, live: live ?? draft, draft }), [base, live, draft]);
  const [given, setGiven] = useState<GivenAnswers>(() => savedAnswers.read(draftId));
  useEffect(() => savedAnswers.write(draftId, given), [draftId, given]);
  const resolved = useMemo(() => resolveWith(sides, given), [sides, given]);
  return {
    sides,
    resolved,
    answer: useCallback((questions, answer) => setGiven((before) => withAnswers(before, questions, answer)), []),
    forget: () => savedAnswers.write(draftId, new Map()),
  };
}

/** Uses only answers that were given for the current values of both sides. */
function resolveWith(sides: MergeSides, given: GivenAnswers): ResolvedMerge {
  const resolved = resolveConflicts(sides, answersOf(given));
  const valid = stillValid(
    given,
    resolved.questions.map(({ conflict }) => conflict),
  );
  return valid.size === given.size ? resolved : resolveConflicts(sides, answersOf(valid));
}
