import type { ReactNode } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { displayTitle, isolated } from '@stet/domain/workflows';
import { useReviewedDraft, useVersion } from '../../features/review/api/use-review.ts';
import type { DraftRef } from '../../features/review/api/use-review.ts';
import { errorSentence, isStatus } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { useOrganization } from '../../lib/session/signed-in.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { DraftReview } from './draft-review.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from './review-screen.module.css';

/** The review of a draft or of a merged version, by its address. */
export function ReviewScreen() {
  const [address] = useSearchParams();
  const organization = useOrganization();
  const [key, id] = [address.get('key') ?? '', address.get('id') ?? ''];
  if (!organization) {
    return (
      <ReviewPage title="Review">
        <ErrorState heading="h1" title="No organization selected">
          Select an organization, then open the review again.
        </ErrorState>
      </ReviewPage>
    );
  }
  if (key === '' || id === '') {
    return (
      <ReviewPage title="Review">
        <DraftAbsent />
      </ReviewPage>
    );
  }
  return /^\d+$/.test(id) ? (
    <ReviewOfVersion version={{ key, number: id }} />
  ) : (
    <LoadedReview key={id} draftRef={{ key, id }} />
  );
}

/** Redirects from a version's number to its former draft. */
function ReviewOfVersion({ version }: { version: { key: string; number: string } }) {
  const { data, error, refetch } = useVersion(version);
  if (data) return <Navigate to={paths.review({ key: version.key, id: data.id })} replace />;
  return (
    <ReviewPage title="Review">
      <ReviewAbsent error={error} onRetry={() => void refetch()} />
    </ReviewPage>
  );
}

function LoadedReview({ draftRef }: { draftRef: DraftRef }) {
  const { data: draft, error, refetch } = useReviewedDraft(draftRef);
  const title = draft ? displayTitle(draft.key, draft.metadata.title) : 'Review';
  // A draft that was discarded while it was open has no content any more.
  const isGone = isStatus(error, 404);
  return (
    <ReviewPage title={title} draftKey={draftRef.key}>
      {draft && !isGone ? (
        <DraftReview draft={draft} draftRef={draftRef} />
      ) : (
        <ReviewAbsent error={error} onRetry={() => void refetch()} />
      )}
    </ReviewPage>
  );
}

type ReviewPageProps = { title: string; draftKey?: string; children: ReactNode };

function ReviewPage({ title, draftKey, children }: ReviewPageProps) {
  const workflow = draftKey === undefined || title === 'Review' ? [] : [{ label: title, to: editorOf(draftKey) }];
  return (
    <div className={classNames('page', styles.reviewPage)}>
      <PageTitle>{title === 'Review' ? title : `Review of ${isolated(title)}`}</PageTitle>
      <Breadcrumbs
        trail={[
          { label: 'Dashboard', to: paths.app },
          { label: 'Editor', to: paths.editor() },
          ...workflow,
          { label: 'Review' },
        ]}
      />
      {children}
    </div>
  );
}

const editorOf = (key: string) => paths.editor({ key, mode: 'edit' });

function ReviewAbsent({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error === null) {
    return (
      <div className="sheet">
        <SkeletonRows rows={6} label="Loading the review" />
      </div>
    );
  }
  // An invalid id is handled like an unknown one.
  if (isStatus(error, 404) || isStatus(error, 400)) return <DraftAbsent />;
  return (
    <ErrorState heading="h1" title="Failed to load the review" onRetry={onRetry}>
      {errorSentence(error, 'An error occurred')}
    </ErrorState>
  );
}

function DraftAbsent() {
  return (
    <ErrorState
      heading="h1"
      title="Draft not found"
      action={<ButtonLink to={paths.editor()}>Back to the workflows</ButtonLink>}
    >
      It may have been discarded or belong to another organization, or the link may be incomplete.
    </ErrorState>
  );
}
