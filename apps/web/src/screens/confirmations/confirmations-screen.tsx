import { UserCheck } from 'lucide-react';
import { useConfirmations } from '../../features/confirmations/api/use-confirmations.ts';
import { ConfirmationList } from '../../features/confirmations/components/confirmation-list.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useCan, useIsWithheld, useOrganization } from '../../lib/session/signed-in.ts';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { Note } from '../../ui/note.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

/** `/app/settings/confirmations`: changes that a second owner or admin must confirm. */
export function ConfirmationsScreen() {
  const organization = useOrganization();
  const canPropose = useCan('draft.merge');
  const isWithheld = useIsWithheld('org.manage');
  return (
    <>
      <PageTitle>Waiting for a second person</PageTitle>
      <div className="head">
        <div>
          <h1 className="title">Waiting for a second person</h1>
          <p className="sub">Changes that another owner or admin must confirm or refuse</p>
        </div>
      </div>
      {!organization ? (
        <EmptyState icon={UserCheck} title="No organization selected." />
      ) : canPropose ? (
        <Waiting />
      ) : (
        !isWithheld && (
          <Note>Only owners and admins can see and confirm these changes. Reviewers see the ones they proposed.</Note>
        )
      )}
    </>
  );
}

function Waiting() {
  const confirmations = useConfirmations();
  if (confirmations.isPending) {
    return (
      <div className="sheet">
        <SkeletonRows rows={3} label="Loading confirmations" />
      </div>
    );
  }
  if (!confirmations.data) {
    return (
      <ErrorState title="Error loading confirmations" onRetry={() => void confirmations.refetch()}>
        {errorSentence(confirmations.error, 'Failed to load confirmations')}
      </ErrorState>
    );
  }
  if (confirmations.data.length === 0) {
    return (
      <EmptyState icon={UserCheck} title="No changes to confirm">
        Changes that need a second person, such as new reviewers, weaker policies, looser deadlines and emergencies,
        appear here until another owner or admin confirms or refuses them.
      </EmptyState>
    );
  }
  return <ConfirmationList confirmations={confirmations.data} />;
}
