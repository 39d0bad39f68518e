import type { RebaseQuestion } from '@stet/contract';
import { settleConflicts } from '@stet/domain/drafts';
import type { Answer, MergeSides, Settlement } from '@stet/domain/drafts';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { answersOf, stillValid, withAnswers } from '../model/answers.ts';
import type { Asked, GivenAnswers } from '../model/answers.ts';
import { keptAnswers } from '../model/kept-answers.ts';

export type Settling = {
  sides: MergeSides;
  settlement: Settlement;
  /** Gives one answer to each of the questions. */
  answer: (questions: readonly Asked[], answer: Answer) => void;
  /** Forgets what was answered, once it is done with. */
  forget: () => void;
};

/** The answers given so far and what they make of the merge; they outlive a reload, and a change of either side as far as they fit. */
export function useSettling({ draftId, live, base, draft }: RebaseQuestion): Settling {
  const sides = useMemo(() => ({ base, live: live ?? draft, draft }), [base, live, draft]);
  const [given, setGiven] = useState<GivenAnswers>(() => keptAnswers.read(draftId));
  useEffect(() => keptAnswers.write(draftId, given), [draftId, given]);
  const settlement = useMemo(() => settleWith(sides, given), [sides, given]);
  return {
    sides,
    settlement,
    answer: useCallback((questions, answer) => setGiven((before) => withAnswers(before, questions, answer)), []),
    forget: () => keptAnswers.write(draftId, new Map()),
  };
}

/** Settles by those answers only that were given to what both sides say now. */
function settleWith(sides: MergeSides, given: GivenAnswers): Settlement {
  const settlement = settleConflicts(sides, answersOf(given));
  const valid = stillValid(
    given,
    settlement.questions.map(({ conflict }) => conflict),
  );
  return valid.size === given.size ? settlement : settleConflicts(sides, answersOf(valid));
}
