import { useReviewRoutes } from '../../features/organizations/api/use-review-routes.ts';
import { ReviewRoutesForm } from '../../features/organizations/components/review-routes-form.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { ErrorState } from '../../ui/empty-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

/** The organization's rules about reviews (routes). */
export function ReviewRoutesPart({ organizationId, canManage }: { organizationId: string; canManage: boolean }) {
  const routes = useReviewRoutes(organizationId);
  if (routes.isPending) {
    return (
      <div className="sheet">
        <SkeletonRows rows={2} label="Loading rules about reviews" />
      </div>
    );
  }
  if (routes.data === undefined) {
    return (
      <ErrorState title="Error loading the rules about reviews" onRetry={() => void routes.refetch()}>
        {errorSentence(routes.error, 'Failed to load the rules about reviews')}
      </ErrorState>
    );
  }
  return <ReviewRoutesForm organizationId={organizationId} saved={routes.data} canManage={canManage} />;
}
