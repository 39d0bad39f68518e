import { useMemo, useState } from 'react';
import { useChangeReview } from '../../features/review/api/use-change-review.ts';
import type { ReviewChange } from '../../features/review/api/use-change-review.ts';
import type { DraftRef } from '../../features/review/api/use-review.ts';
import type { Commenting, WritingOn } from '../../features/review/parts/commenting.ts';
import type { Verdict } from '../../features/review/parts/review-bar.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useNow } from '../../lib/use-now.ts';
import { toast } from '../../ui/toast.ts';

/** What is said when the server gives no words of its own (specification, section 8). */
const FALLBACKS = {
  approve: 'Failed to approve',
  'request-changes': 'Failed to request changes',
  submit: 'Failed to submit for review',
  withdraw: 'Failed to withdraw from review',
  merge: 'Failed to merge',
  'set-aside': 'Failed to set the request aside',
  comment: 'Failed to comment',
  resolve: 'Failed to resolve the comment',
  reopen: 'Failed to reopen the comment',
} satisfies Record<ReviewChange['do'], string>;

/** What the dialogs send: a step of the draft, a merge past the review, or an objection set aside. */
type Step =
  | { do: 'submit' | 'withdraw' | 'merge' }
  | { do: 'emergency'; reason: string }
  | { do: 'set-aside'; reviewerId: string; reason: string };

export type ReviewActions = ReturnType<typeof useReviewActions>;

/** Decides on a draft and takes its steps; knows what is under way and what failed, in words. */
export function useReviewActions(ref: DraftRef, { revision, nextVersion }: { revision: number; nextVersion: number }) {
  const deciding = useChangeReview(ref);
  const stepping = useChangeReview(ref);
  const [comment, setComment] = useState('');
  const failed = (change: ReviewChange) => (error: Error) => toast.bad(errorSentence(error, FALLBACKS[change.do]));

  const decide = (verdict: Verdict) => {
    if (deciding.isPending) return;
    const change: ReviewChange = { do: verdict, comment: comment.trim(), revision };
    deciding.mutate(change, {
      onSuccess: () => {
        toast.ok(verdict === 'approve' ? 'Approved' : 'Changes requested');
        setComment('');
      },
      onError: failed(change),
    });
  };
  const take = (step: Step, onDone: () => void = () => undefined) => {
    if (stepping.isPending) return;
    const change = changeOf(step, revision);
    stepping.mutate(change, {
      onSuccess: () => {
        if (change.do === 'merge') toast.ok('Merged', `v${nextVersion} is live`);
        else toast.ok(SAID[change.do]);
        onDone();
      },
      onError: (error) => {
        failed(change)(error);
        // A reason that was typed stays where it can be sent again.
        if (!('reason' in step)) onDone();
      },
    });
  };
  const problemOf = ({ error, variables }: typeof deciding): string | null =>
    error && variables ? errorSentence(error, FALLBACKS[variables.do]) : null;
  return {
    comment,
    setComment,
    decide,
    deciding: deciding.isPending ? ((deciding.variables?.do as Verdict | undefined) ?? null) : null,
    decisionProblem: problemOf(deciding),
    take,
    taking: stepping.isPending ? (stepping.variables?.do ?? null) : null,
    stepProblem: problemOf(stepping),
    forgetProblem: () => stepping.reset(),
  };
}

type StepChange = Extract<ReviewChange, { do: 'submit' | 'withdraw' | 'merge' | 'set-aside' }>;

const SAID = {
  submit: 'Submitted for review',
  withdraw: 'Taken back from review',
  'set-aside': 'Request set aside',
} satisfies Record<Exclude<StepChange['do'], 'merge'>, string>;

function changeOf(step: Step, revision: number): StepChange {
  switch (step.do) {
    case 'merge':
      return { do: 'merge', revision };
    case 'emergency':
      return { do: 'merge', revision, emergency: { reason: step.reason } };
    case 'submit':
    case 'withdraw':
      return { do: step.do };
    case 'set-aside':
      return step;
  }
}

/** Everything that comments can do, the same object as long as nothing about them changes. */
export function useCommenting(ref: DraftRef, may: boolean): Commenting {
  const { mutateAsync: send } = useChangeReview(ref);
  const { mutate: settle, isPending, variables } = useChangeReview(ref);
  const [writingOn, setWritingOn] = useState<WritingOn>(undefined);
  const now = useNow(60_000);
  const settling = isPending && variables && 'commentId' in variables ? variables.commentId : null;
  return useMemo(
    () => ({
      may,
      writingOn,
      onWrite: setWritingOn,
      onSend: (body, stepId) => send({ do: 'comment', body, stepId }),
      onSettle: (commentId, to) =>
        settle({ do: to, commentId }, { onError: (error) => void toast.bad(errorSentence(error, FALLBACKS[to])) }),
      settling,
      now,
    }),
    [may, writingOn, send, settle, settling, now],
  );
}
