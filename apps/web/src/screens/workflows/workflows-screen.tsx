import { Building2 } from 'lucide-react';
import { Suspense, lazy, useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { readBuilderAddress } from '../../features/workflow-editor/model/editor-address.ts';
import { paths } from '../../lib/paths.ts';
import { useCan, useOrganization } from '../../lib/session/signed-in.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { LoadingLine } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toast.ts';
import { WorkflowList } from './workflow-list.tsx';
import type { LastOpened } from './workflow-list.tsx';

// The list doesn't need the builder, with dragging and the editor's document, so the builder is loaded on demand.
const BuilderScreen = lazy(async () => ({ default: (await import('./builder-screen.tsx')).BuilderScreen }));

/** `/app/workflows`: the management list or, depending on the address, the builder (specification, section 2). */
export function WorkflowsScreen() {
  const organization = useOrganization();
  const [query] = useSearchParams();
  const canMake = useCan('draft.edit');
  const [lastOpened, setLastOpened] = useState<LastOpened | null>(null);
  if (!organization) return <NoOrganization />;
  const address = readBuilderAddress(query);
  if (address && address.open !== 'workflow' && !canMake) return <BackToList />;
  if (address) {
    return (
      <Suspense fallback={<LoadingLine>Loading workflow...</LoadingLine>}>
        <BuilderScreen key={organization.id} address={address} organization={organization} />
      </Suspense>
    );
  }
  return (
    <WorkflowList
      key={organization.id}
      organizationId={organization.id}
      lastOpened={lastOpened}
      onOpened={setLastOpened}
    />
  );
}

/** Explains to people who can't create workflows why the builder doesn't open. */
function BackToList() {
  const navigate = useNavigate();
  useEffect(() => {
    toast.warn('You can’t create workflows', 'Only owners, admins and editors can create them.', {
      forNextScreen: true,
    });
    void navigate(paths.workflows(), { replace: true });
  }, [navigate]);
  return null;
}

function NoOrganization() {
  return (
    <div className="page">
      <PageTitle>Workflow Management</PageTitle>
      <Breadcrumbs trail={[{ label: 'Dashboard', to: paths.app }, { label: 'Workflows' }]} />
      <div className="head">
        <h1 className="title">Workflow Management</h1>
      </div>
      <EmptyState icon={Building2} title="No organization selected">
        Select an organization to see its workflows.
      </EmptyState>
    </div>
  );
}
