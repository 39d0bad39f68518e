import type { VersionRecord } from '@stet/contract';
import { displayTitle, isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useRestore, useRollBack } from '../../features/documentation/api/use-roll-back.ts';
import { useVersions, useWorkflow } from '../../features/documentation/api/use-workflow.ts';
import { useOrganizationSettings } from '../../features/organizations/api/use-organization-settings.ts';
import type { RowAction } from '../../features/documentation/components/docs-table.tsx';
import { StartRunDialog } from '../../features/start-run/components/start-run-dialog.tsx';
import { RollbackDialog, RollbackReviewDialog } from '../../features/documentation/components/rollback-dialog.tsx';
import { WorkflowPanel } from '../../features/documentation/components/workflow-panel.tsx';
import { ApiError, errorSentence } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { useCan, useOrganization, useUser } from '../../lib/session/signed-in.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { LoadingLine } from '../../ui/spinner.tsx';
import { toast, useErrorToast } from '../../ui/toast.ts';

type SelectedWorkflowProps = {
  workflowKey: string;
  isOpening: boolean;
  /** Why creating a draft failed. */
  failure: ReactNode;
  onChangeInEditor: () => void;
  onAct: (action: RowAction) => void;
  onClose: () => void;
};

/** The panel of the selected workflow, with its dialogs. */
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
        <RollingBack workflowKey={workflowKey} title={title} to={dialog.to} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

type RollingBackProps = { workflowKey: string; title: string; to: VersionRecord; onClose: () => void };

/** Asks before a rollback. If it would remove a control, it offers to create a draft, and the emergency to owners. */
function RollingBack({ workflowKey, title, to, onClose }: RollingBackProps) {
  const navigate = useNavigate();
  const rollBack = useRollBack(workflowKey);
  const restore = useRestore(workflowKey);
  const isOwner = useUser().orgRole === 'owner';
  // Strict reviews don't allow emergencies.
  const strict = useOrganizationSettings(useUser().currentOrgId ?? '').data?.strict;
  const mayEdit = useCan('draft.edit');
  const [refused, setRefused] = useState<{ reason: string; sentence: string; losses: readonly string[] } | null>(null);
  const version = to.version ?? 0;
  const send = (change: { reason: string; emergency?: true }) =>
    !rollBack.isPending &&
    rollBack.mutate(
      { version, ...change },
      {
        onSuccess: () => {
          toast.ok('Rolled back', `${isolated(title)}, ${to.label} is live.`);
          onClose();
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'rollback_needs_review' && !change.emergency) {
            setRefused({ reason: change.reason, sentence: error.message, losses: error.details.flatMap(lossIn) });
            rollBack.reset();
          } else toast.bad('Rollback failed', errorSentence(error, ''));
        },
      },
    );
  const open = () =>
    !restore.isPending &&
    restore.mutate(version, {
      onSuccess: ({ draftId }) => void navigate(paths.editor({ key: workflowKey, draftId })),
    });
  if (refused === null) {
    return (
      <RollbackDialog
        title={title}
        version={version}
        busy={rollBack.isPending}
        error={rollBack.isError ? errorSentence(rollBack.error, 'Rollback failed') : null}
        onConfirm={(reason) => send({ reason })}
        onClose={onClose}
      />
    );
  }
  const failed = rollBack.error ?? restore.error;
  return (
    <RollbackReviewDialog
      title={title}
      version={version}
      sentence={refused.sentence}
      losses={refused.losses}
      busy={restore.isPending ? 'draft' : rollBack.isPending ? 'emergency' : null}
      error={failed ? errorSentence(failed, 'Rollback failed') : null}
      onOpenAsDraft={mayEdit ? open : null}
      onEmergency={isOwner && strict !== true ? () => send({ reason: refused.reason, emergency: true }) : null}
      onClose={onClose}
    />
  );
}

/** Describes a control that would be lost. The details are those of the refusal. */
function lossIn(detail: unknown): string[] {
  if (typeof detail !== 'object' || detail === null || !('sentence' in detail)) return [];
  return typeof detail.sentence === 'string' ? [detail.sentence] : [];
}
