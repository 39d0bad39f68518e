import { Building2 } from 'lucide-react';
import { useOrganization } from '../../lib/session/signed-in.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { GroupsPart } from './groups-part.tsx';

/** `/app/settings/groups`, for owners and admins. Other people only see the groups. */
export function GroupsScreen() {
  const organization = useOrganization();
  return (
    <>
      <PageTitle>Groups</PageTitle>
      {organization?.type === 'team' ? (
        <GroupsPart />
      ) : (
        <>
          <div className="head">
            <h1 className="title">Groups</h1>
          </div>
          {organization ? (
            <EmptyState icon={Building2} title="A personal account has no groups">
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
