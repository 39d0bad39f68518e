import type { VersionRecord } from '@stet/contract';
import { displayTitle } from '@stet/domain/workflows';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useVersions, useWorkflow } from '../../features/documentation/api/use-workflow.ts';
import { useOrganizationSettings } from '../../features/organizations/api/use-organization-settings.ts';
import type { RowAction } from '../../features/documentation/components/docs-table.tsx';
import { StartRunDialog } from '../../features/start-run/components/start-run-dialog.tsx';
import { WorkflowPanel } from '../../features/documentation/components/workflow-panel.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { useCan, useOrganization, useUser } from '../../lib/session/signed-in.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { LoadingLine } from '../../ui/spinner.tsx';
import { useErrorToast } from '../../ui/toast.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const RollingBack = lazyDialog(
  async () => (await import('../../features/documentation/components/rolling-back.tsx')).RollingBack,
);

type SelectedWorkflowProps = {
  workflowKey: string;
  isOpening: boolean;
  /** A note if a draft couldn't be created. */
  failure: ReactNode;
  onChangeInEditor: () => void;
  onAct: (action: RowAction) => void;
  onClose: () => void;
};

/** The selected workflow's panel, with its dialogs. */
export function SelectedWorkflow({
  workflowKey,
  isOpening,
  failure,
  onChangeInEditor,
  onAct,
  onClose,
}: SelectedWorkflowProps) {
  const workflow = useWorkflow(workflowKey);
  const versions = useVersions(workflowKey);
  const loadFailure = errorSentence(workflow.error, 'Failed to load workflow');
  useErrorToast(!workflow.data && workflow.error, 'Error', loadFailure);
  const may = { edit: useCan('draft.edit'), run: useCan('run.start'), rollBack: useCan('draft.merge') };
  const isTeam = useOrganization()?.type === 'team';
  const strict = useOrganizationSettings(useUser().currentOrgId ?? '').data?.strict;
  const [dialog, setDialog] = useState<{ for: 'rollback'; to: VersionRecord } | { for: 'run' } | null>(null);

  if (!workflow.data) {
    return (
      <SidePanel
        label={workflowKey}
        sheet="full"
        closeLabel="Close panel (Esc)"
        onClose={onClose}
        head={<span className="mono muted">{workflowKey}</span>}
      >
        {workflow.isPending ? (
          <LoadingLine>Loading workflow...</LoadingLine>
        ) : (
          <Note tone="bad">
            {loadFailure}{' '}
            <Button size="sm" onClick={() => void workflow.refetch()}>
              Try again
            </Button>
          </Note>
        )}
      </SidePanel>
    );
  }
  const title = displayTitle(workflowKey, workflow.data.metadata.title);
  return (
    <>
      <WorkflowPanel
        workflow={workflow.data}
        versions={versions.data}
        isTeam={isTeam}
        may={may}
        isOpening={isOpening}
        failure={failure}
        onChangeInEditor={onChangeInEditor}
        onAct={onAct}
        onRun={() => setDialog({ for: 'run' })}
        onRollBack={(to) => setDialog({ for: 'rollback', to })}
        onClose={onClose}
      />
      {dialog?.for === 'run' && (
        <StartRunDialog workflow={{ key: workflowKey, title }} toExecution onClose={() => setDialog(null)} />
      )}
      {dialog?.for === 'rollback' && (
        <RollingBack
          workflowKey={workflowKey}
          title={title}
          to={dialog.to}
          strict={strict}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}
