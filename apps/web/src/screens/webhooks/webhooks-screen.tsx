import { isolated } from '@stet/domain/workflows';
import { Lock } from 'lucide-react';
import { useCan, useOrganization } from '../../lib/session/signed-in.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { WebhooksPart } from './webhooks-part.tsx';

/** `/app/settings/webhooks`, for owners and admins. */
export function WebhooksScreen() {
  const organization = useOrganization();
  const canManage = useCan('org.manage');
  return (
    <>
      <PageTitle>Webhooks</PageTitle>
      {organization && canManage ? (
        <WebhooksPart />
      ) : (
        <>
          <div className="head">
            <h1 className="title">Webhooks</h1>
          </div>
          {organization ? (
            <EmptyState icon={Lock} title="Only owners and admins can manage webhooks">
              Ask an owner or an admin of {isolated(organization.name)}.
            </EmptyState>
          ) : (
            <EmptyState icon={Lock} title="No organization selected." />
          )}
        </>
      )}
    </>
  );
}
