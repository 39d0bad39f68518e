import { Blocks } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { useSlackStatus } from '../../features/integrations/api/use-slack.ts';
import { SlackCard } from '../../features/integrations/components/slack-card.tsx';
import { useCan, useOrganization } from '../../lib/session/signed-in.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Note } from '../../ui/note.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

/** `/app/integrations`. `slack=success` and `slack=error` are the results of connecting (specification, section 2). */
export function IntegrationsScreen() {
  const organization = useOrganization();
  const [query] = useSearchParams();
  const outcome = query.get('slack');
  return (
    <>
      <PageTitle>Integrations</PageTitle>
      <div className="head">
        <div>
          <h1 className="title">Integrations</h1>
          <p className="sub">Send notifications to other apps</p>
        </div>
      </div>
      {outcome === 'success' && <Note tone="ok">Slack has been connected successfully.</Note>}
      {outcome === 'error' && <Note tone="bad">Failed to connect Slack. Please try again.</Note>}
      {organization ? <Slack /> : <EmptyState icon={Blocks} title="No organization selected." />}
    </>
  );
}

function Slack() {
  const status = useSlackStatus();
  const canManage = useCan('org.manage');
  if (status.isPending) {
    return (
      <div className="sheet">
        <SkeletonRows rows={2} label="Loading integrations" />
      </div>
    );
  }
  return <SlackCard status={status.data} canManage={canManage} />;
}
