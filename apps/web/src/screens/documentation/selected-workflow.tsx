import type { VersionRecord } from '@stet/contract';
import { displayTitle, isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useRollBack } from '../../features/documentation/api/use-roll-back.ts';
import { useVersions, useWorkflow } from '../../features/documentation/api/use-workflow.ts';
import type { RowAction } from '../../features/documentation/parts/docs-table.tsx';
import { RollbackDialog } from '../../features/documentation/parts/rollback-dialog.tsx';
import { WorkflowPanel } from '../../features/documentation/parts/workflow-panel.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { useCan } from '../../lib/session/signed-in.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { LoadingLine } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toast.ts';

type SelectedWorkflowProps = {
  workflowKey: string;
  isOpening: boolean;
  onChangeInEditor: () => void;
  onAct: (action: RowAction) => void;
  onClose: () => void;
};

/** The panel of the workflow that the address names, with the dialogs that it opens. */
export function SelectedWorkflow({ workflowKey, isOpening, onChangeInEditor, onAct, onClose }: SelectedWorkflowProps) {
  const navigate = useNavigate();
  const workflow = useWorkflow(workflowKey);
  const versions = useVersions(workflowKey);
  const rollBack = useRollBack(workflowKey);
  const may = { edit: useCan('draft.edit'), run: useCan('run.start'), rollBack: useCan('draft.merge') };
  const [dialog, setDialog] = useState<{ to: VersionRecord } | null>(null);
  const close = () => {
    setDialog(null);
    rollBack.reset();
  };

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
            {errorSentence(workflow.error, 'Failed to load workflow')}{' '}
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
        may={may}
        isOpening={isOpening}
        onChangeInEditor={onChangeInEditor}
        onAct={onAct}
        onRun={() => void navigate(paths.startRun(workflowKey))}
        onRollBack={(to) => setDialog({ to })}
        onClose={onClose}
      />
      {dialog && dialog.to.version !== null && (
        <RollbackDialog
          title={title}
          version={dialog.to.version}
          busy={rollBack.isPending}
          error={rollBack.isError ? errorSentence(rollBack.error, 'Rollback failed') : null}
          onConfirm={(reason) =>
            rollBack.mutate(
              { version: dialog.to.version ?? 0, reason },
              {
                onSuccess: () => {
                  toast.ok('Rolled back', `${isolated(title)}, ${dialog.to.label} is live.`);
                  close();
                },
                onError: (error) => toast.bad('Rollback failed', errorSentence(error, '')),
              },
            )
          }
          onClose={close}
        />
      )}
    </>
  );
}
