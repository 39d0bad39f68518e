import { useInvitations } from '../../features/invitations/api/use-invitations.ts';
import { PendingInvitations } from '../../features/invitations/components/pending-invitations.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { Count } from '../../ui/badge.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

/** The pending invitations, below the members. */
export function InvitationsPart({ organizationId }: { organizationId: string }) {
  const invitations = useInvitations(organizationId);
  return (
    <section className="settings-part" aria-labelledby="pending-invitations">
      <div className="row">
        <h2 className="title-sm" id="pending-invitations">
          Pending invitations
        </h2>
        {invitations.data && invitations.data.length > 0 && <Count of={invitations.data.length} />}
      </div>
      {invitations.isPending ? (
        <div className="sheet">
          <SkeletonRows rows={2} label="Loading invitations" />
        </div>
      ) : !invitations.data ? (
        <ErrorState title="Error loading invitations" onRetry={() => void invitations.refetch()}>
          {errorSentence(invitations.error, 'Failed to load invitations')}
        </ErrorState>
      ) : invitations.data.length === 0 ? (
        <p className="muted">No pending invitations.</p>
      ) : (
        <PendingInvitations organizationId={organizationId} invitations={invitations.data} />
      )}
    </section>
  );
}
