import { useState } from 'react';
import { WorkflowTabs } from '../../features/documentation/components/workflow-tabs.tsx';
import { NextStepLine } from '../../features/first-steps/components/next-step-line.tsx';
import { StartRunDialog } from '../../features/start-run/components/start-run-dialog.tsx';
import { OpenedWorkflow } from '../../features/workflow-editor/components/opened-workflow.tsx';
import type { DocumentAddress } from '../../features/workflow-editor/model/editor-address.ts';
import { useOrganization } from '../../lib/session/signed-in.ts';
import type { Organization } from '../../lib/session/signed-in.ts';
import { ErrorState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { useWorkflowProgress } from './use-workflow-progress.ts';

/** Edit mode of the editor (specification, section 2). */
export function EditMode({ document }: { document: DocumentAddress }) {
  const organization = useOrganization();
  const [running, setRunning] = useState<{ key: string; title: string } | null>(null);
  if (!organization) {
    return (
      <div className="page">
        <PageTitle>Editor</PageTitle>
        <ErrorState heading="h1" title="No organization selected">
          Select an organization, then open the workflow again.
        </ErrorState>
      </div>
    );
  }
  return (
    <>
      <OpenedWorkflow
        key={organization.id}
        route="table"
        address={document}
        organization={organization}
        renderTabs={(key) => <WorkflowTabs workflowKey={key} current="edit" />}
        nextStep={<NextStep organization={organization} />}
        onStartRun={setRunning}
      />
      {running && <StartRunDialog workflow={running} onClose={() => setRunning(null)} />}
    </>
  );
}

/** The next step in the checklist for new users. */
function NextStep({ organization }: { organization: Organization }) {
  const stand = useWorkflowProgress(organization.id);
  return stand && <NextStepLine organizationId={organization.id} isTeam={organization.type === 'team'} {...stand} />;
}
