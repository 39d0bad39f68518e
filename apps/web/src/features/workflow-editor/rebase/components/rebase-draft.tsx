import { CircleCheck } from 'lucide-react';
import { displayTitle } from '@stet/domain/workflows';
import { errorSentence, isStatus } from '../../../../lib/api/api-error.ts';
import { paths } from '../../../../lib/paths.ts';
import { Breadcrumbs } from '../../../../ui/breadcrumbs.tsx';
import { ButtonLink } from '../../../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../../../ui/empty-state.tsx';
import { SkeletonRows } from '../../../../ui/skeleton.tsx';
import { useRebaseQuestion } from '../api/use-rebase.ts';
import type { RebaseAddress } from '../model/rebase-address.ts';
import { ResolveDraft } from './resolve-draft.tsx';
import styles from './rebase.module.css';

/** Loads a draft and the live version, to rebase the draft. */
export function RebaseDraft({ address: { at, cameFromReview } }: { address: RebaseAddress }) {
  const question = useRebaseQuestion(at);
  const editor = paths.editor({ key: at.key, mode: 'edit', draftId: at.id });
  const back = cameFromReview ? paths.review(at) : editor;
  const title = question.data ? displayTitle(at.key, question.data.draft.metadata.title) : at.key;
  return (
    <div className={styles.rebaseIn}>
      <Breadcrumbs
        className={styles.trail}
        trail={[{ label: 'Dashboard', to: paths.app }, { label: title, to: back }, { label: 'Rebase draft' }]}
      />
      {question.data?.upToDate ? (
        <EmptyState
          icon={CircleCheck}
          title="This draft is based on the live version"
          heading="h1"
          action={<ButtonLink to={back}>Back to the draft</ButtonLink>}
        >
          There is nothing to rebase.
        </EmptyState>
      ) : question.data ? (
        <ResolveDraft at={at} title={title} question={question.data} editor={editor} back={back} />
      ) : (
        <Absent error={question.error} onRetry={() => void question.refetch()} />
      )}
    </div>
  );
}

function Absent({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error === null) {
    return (
      <div className="sheet">
        <SkeletonRows rows={6} label="Loading both versions" />
      </div>
    );
  }
  const back = <ButtonLink to={paths.editor()}>Open the editor</ButtonLink>;
  if (isStatus(error, 409)) {
    return (
      <ErrorState heading="h1" title="This draft was already merged" action={back}>
        {errorSentence(error, 'There is nothing left to rebase.')}
      </ErrorState>
    );
  }
  if (isStatus(error, 404) || isStatus(error, 400)) {
    return (
      <ErrorState heading="h1" title="Draft not found" action={back}>
        It may have been discarded, or the link may be incomplete.
      </ErrorState>
    );
  }
  return (
    <ErrorState heading="h1" title="Failed to load both versions" onRetry={onRetry}>
      {errorSentence(error, 'An error occurred')}
    </ErrorState>
  );
}
