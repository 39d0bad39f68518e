import { useMemo, useState } from 'react';
import { useChangeReview } from '../../features/review/api/use-change-review.ts';
import type { ReviewChange } from '../../features/review/api/use-change-review.ts';
import type { DraftRef } from '../../features/review/api/use-review.ts';
import type { Commenting, WritingOn } from '../../features/review/components/commenting.ts';
import type { Verdict } from '../../features/review/components/review-bar.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useNow } from '../../lib/use-now.ts';
import type { Submission } from '../../ui/submit-form.tsx';
import { toast, useErrorToast } from '../../ui/toast.ts';

/** Fallbacks for errors without a message (specification, section 8). */
const FALLBACKS = {
  approve: 'Failed to approve',
  'withdraw-approval': 'Failed to withdraw your approval',
  'request-changes': 'Failed to request changes',
  submit: 'Failed to submit for review',
  withdraw: 'Failed to withdraw from review',
  merge: 'Failed to merge',
  'set-aside': 'Failed to set the request aside',
  comment: 'Failed to comment',
  resolve: 'Failed to resolve the comment',
  reopen: 'Failed to reopen the comment',
} satisfies Record<ReviewChange['do'], string>;

/** The actions except approving, requesting changes, and those on comments. `emergency` is a merge without a review. */
type Step =
  | ({ do: 'submit' } & Submission)
  | { do: 'withdraw' | 'merge' }
  | { do: 'withdraw-approval'; onBehalfOf: string | undefined }
  | { do: 'emergency'; reason: string }
  | { do: 'set-aside'; reviewerId: string; reason: string };

export type ReviewActions = ReturnType<typeof useReviewActions>;

/** Actions that review a draft and change its state, with the action in progress and the last error. */
export function useReviewActions(ref: DraftRef, { revision, nextVersion }: { revision: number; nextVersion: number }) {
  const deciding = useChangeReview(ref);
  const stepping = useChangeReview(ref);
  const [comment, setComment] = useState('');

  const decide = (verdict: Verdict, onBehalfOf: string | undefined) => {
    if (deciding.isPending) return;
    const change: ReviewChange = { do: verdict, comment: comment.trim(), revision, onBehalfOf };
    deciding.mutate(change, {
      onSuccess: () => {
        toast.ok(verdict === 'approve' ? 'Approved' : 'Changes requested');
        setComment('');
      },
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
      onError: () => {
        // If the failed action's dialog contains typed text, it stays open, so that the text can be sent again.
        if (!('reason' in step) && step.do !== 'submit') onDone();
      },
    });
  };
  const decisionProblem = problemOf(deciding);
  const stepProblem = problemOf(stepping);
  useErrorToast(deciding.error, decisionProblem ?? '');
  useErrorToast(stepping.error, stepProblem ?? '');
  return {
    comment,
    setComment,
    decide,
    deciding: deciding.isPending ? ((deciding.variables?.do as Verdict | undefined) ?? null) : null,
    decisionProblem,
    take,
    taking: stepping.isPending ? (stepping.variables?.do ?? null) : null,
    stepProblem,
    forgetProblem: () => stepping.reset(),
  };
}

const problemOf = ({ error, variables }: ReturnType<typeof useChangeReview>): string | null =>
  error && variables ? errorSentence(error, FALLBACKS[variables.do]) : null;

type StepChange = Extract<ReviewChange, { do: 'submit' | 'withdraw' | 'withdraw-approval' | 'merge' | 'set-aside' }>;

const SAID = {
  submit: 'Submitted for review',
  withdraw: 'Withdrawn from review',
  'withdraw-approval': 'Approval withdrawn',
  'set-aside': 'Request set aside',
} satisfies Record<Exclude<StepChange['do'], 'merge'>, string>;

function changeOf(step: Step, revision: number): StepChange {
  switch (step.do) {
    case 'merge':
      return { do: step.do, revision };
    case 'withdraw-approval':
      return { ...step, revision };
    case 'emergency':
      return { do: 'merge', revision, emergency: { reason: step.reason } };
    case 'withdraw':
      return { do: step.do };
    case 'submit':
    case 'set-aside':
      return step;
  }
}

/** The actions on comments. The returned object stays the same until one of its values changes. */
export function useCommenting(ref: DraftRef, may: boolean): Commenting {
  const { mutateAsync: send } = useChangeReview(ref);
  const changing = useChangeReview(ref);
  const { mutate: changeComment, isPending, variables, error } = changing;
  const [writingOn, setWritingOn] = useState<WritingOn>(undefined);
  const now = useNow(60_000);
  const changedId = variables && 'commentId' in variables ? variables.commentId : null;
  const resolvingId = isPending ? changedId : null;
  const problem = problemOf(changing);
  useErrorToast(error, problem ?? '');
  return useMemo(
    () => ({
      may,
      writingOn,
      onWrite: setWritingOn,
      onSend: (body, stepId) => send({ do: 'comment', body, stepId }),
      onResolve: (commentId, to) => changeComment({ do: to, commentId }),
      resolvingId,
      problemOn: (commentId) => (commentId === changedId ? problem : null),
      now,
    }),
    [may, writingOn, send, changeComment, resolvingId, changedId, problem, now],
  );
}
