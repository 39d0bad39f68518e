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
  comment: 'Failed to comment',
  resolve: 'Failed to resolve the comment',
  reopen: 'Failed to reopen the comment',
} satisfies Record<ReviewChange['do'], string>;

type Step = 'submit' | 'withdraw' | 'merge';

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
    const change: ReviewChange = step === 'merge' ? { do: 'merge', revision } : { do: step };
    stepping.mutate(change, {
      onSuccess: () => {
        if (step === 'merge') toast.ok('Merged', `v${nextVersion} is live`);
        else toast.ok(step === 'submit' ? 'Submitted for review' : 'Taken back from review');
        onDone();
      },
      onError: (error) => {
        failed(change)(error);
        onDone();
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
    taking: stepping.isPending ? ((stepping.variables?.do as Step | undefined) ?? null) : null,
    stepProblem: problemOf(stepping),
  };
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
