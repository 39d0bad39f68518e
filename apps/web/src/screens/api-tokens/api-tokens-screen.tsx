import { isolated } from '@stet/domain/workflows';
import { useCan, useOrganization } from '../../lib/session/signed-in.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { KeyRound } from 'lucide-react';
import { MyTokens } from './my-tokens.tsx';
import { OrganizationTokens } from './organization-tokens.tsx';

/** `/app/settings/tokens`: API tokens for the selected organization. */
export function ApiTokensScreen() {
  const organization = useOrganization();
  const canManage = useCan('org.manage');
  return (
    <>
      <PageTitle>API tokens</PageTitle>
      <div className="head">
        <div>
          <h1 className="title">API tokens</h1>
          <p className="sub">
            API access for scripts and integrations
            {organization && organization.type === 'team' && ` in ${isolated(organization.name)}`}
          </p>
        </div>
      </div>
      {organization ? (
        <>
          <MyTokens role={organization.role} />
          {canManage && <OrganizationTokens organization={organization} />}
        </>
      ) : (
        <EmptyState icon={KeyRound} title="No organization selected." />
      )}
    </>
  );
}
