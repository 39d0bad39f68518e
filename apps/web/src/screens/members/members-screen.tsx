import { Building2 } from 'lucide-react';
import { useOrganization } from '../../lib/session/signed-in.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { TeamMembers } from './team-members.tsx';

/** `/app/settings/members`, for owners and admins. Other people can only see the members and leave. */
export function MembersScreen() {
  const organization = useOrganization();
  return (
    <>
      <PageTitle>Members</PageTitle>
      {organization?.type === 'team' ? (
        <TeamMembers organization={organization} />
      ) : (
        <>
          <div className="head">
            <h1 className="title">Members</h1>
          </div>
          {organization ? (
            <EmptyState icon={Building2} title="A personal account has no members">
              To work with others, create an organization from the “Personal account” menu in the top bar.
            </EmptyState>
          ) : (
            <EmptyState icon={Building2} title="No organization selected." />
          )}
        </>
      )}
    </>
  );
}
