import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { displayTitle, isolated } from '@stet/domain/workflows';
import { useEditorSource } from '../../features/workflow-editor/api/use-editor-source.ts';
import type { EditorAddress } from '../../features/workflow-editor/model/editor-address.ts';
import { statusOf } from '../../features/workflow-editor/model/source.ts';
import type { EditorSource } from '../../features/workflow-editor/model/source.ts';
import { SAME_DOCUMENT } from '../../features/workflow-editor/components/use-leave-guard.ts';
import { useEditorView } from '../../features/workflow-editor/components/use-editor-view.ts';
import { WorkflowEditor } from '../../features/workflow-editor/components/workflow-editor.tsx';
import { WorkflowTabs } from '../../features/documentation/components/workflow-tabs.tsx';
import { NextStepLine } from '../../features/first-steps/components/next-step-line.tsx';
import { StartRunDialog } from '../../features/start-run/components/start-run-dialog.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { useCan, useOrganization, useUser } from '../../lib/session/signed-in.ts';
import { LinkButton } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { LoadingLine } from '../../ui/spinner.tsx';
import { toast, useErrorToast } from '../../ui/toast.ts';
import { useWorkflowProgress } from './use-workflow-progress.ts';
import styles from '../../features/workflow-editor/components/workflow-editor.module.css';

type EditModeProps = {
  address: Extract<EditorAddress, { mode: 'edit' }>;
  session: number;
  /** Called when the document gets a new address. */
  onRenamed: (address: EditorAddress) => void;
};

export function EditMode({ address, session, onRenamed }: EditModeProps) {
  const organization = useOrganization();
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
  return <OpenedDocument key={organization.id} {...{ address, session, onRenamed, organization }} />;
}

type Organization = NonNullable<ReturnType<typeof useOrganization>>;

function OpenedDocument({ address, session, onRenamed, organization }: EditModeProps & { organization: Organization }) {
  const navigate = useNavigate();
  const { id: userId } = useUser();
  const query = useEditorSource(address, session);
  const { view, onView, query: viewQuery } = useEditorView('table');
  const [running, setRunning] = useState<{ key: string; title: string } | null>(null);
  const rights = {
    edit: useCan('draft.edit'),
    run: useCan('run.start'),
    archive: useCan('workflow.archive'),
    archiveUnmerged: useCan('workflow.archive_unmerged'),
  };
  useEffect(() => {
    if (query.data) sayOpened(query.data);
  }, [query.data]);

  useErrorToast(query.error, 'Error', errorSentence(query.error, 'Failed to load workflow'));

  const backToList = () => void navigate(paths.editor());
  if (query.isPending) {
    return (
      <div className={styles.editorLoading}>
        <PageTitle>Editor</PageTitle>
        <LoadingLine>Loading workflow...</LoadingLine>
      </div>
    );
  }
  if (query.error) {
    return (
      <div className="page">
        <PageTitle>Editor</PageTitle>
        <ErrorState
          heading="h1"
          title="Failed to load workflow"
          retryLabel="Try Again"
          onRetry={() => void query.refetch()}
          action={<LinkButton onClick={backToList}>Back to the editor</LinkButton>}
        >
          {errorSentence(query.error, 'Nothing was changed.')}
        </ErrorState>
      </div>
    );
  }
  return (
    <>
      <WorkflowEditor
        source={query.data}
        organization={organization}
        userId={userId}
        rights={rights}
        view={view}
        tabs={<WorkflowTabs workflowKey={query.data.key} current="edit" />}
        onView={onView}
        onClose={backToList}
        onStartRun={setRunning}
        onGone={() => void navigate(paths.editor(), { state: SAME_DOCUMENT })}
        onMoved={({ key, draftId }) => {
          onRenamed({ mode: 'edit', open: 'workflow', key, draftId });
          const to = paths.editor({ key, mode: 'edit', ...(draftId !== null && { draftId }), ...viewQuery });
          void navigate(to, { replace: true, state: SAME_DOCUMENT, preventScrollReset: true });
        }}
      />
      {rights.edit && view === 'table' && <NextStep organization={organization} />}
      {running && <StartRunDialog workflow={running} onClose={() => setRunning(null)} />}
    </>
  );
}

/** The next step for a newcomer who came from the checklist. */
function NextStep({ organization }: { organization: Organization }) {
  const stand = useWorkflowProgress(organization.id);
  return stand && <NextStepLine organizationId={organization.id} isTeam={organization.type === 'team'} {...stand} />;
}

/** Shows a toast that depends on how the document was opened (specification, section 8). */
function sayOpened({ key, edited, opened, record }: EditorSource): void {
  const title = displayTitle(key, edited.metadata.title);
  switch (opened) {
    case 'template':
      toast.ok('New Workflow Created', title, { onArrival: true });
      return;
    case 'duplicate':
      toast.ok('Workflow Duplicated', title, { onArrival: true });
      return;
    case 'draft':
      toast.ok('Workflow Loaded', `${isolated(title)} (draft)`, { onArrival: true });
      return;
    case 'live':
      toast.ok('Workflow Loaded', `${isolated(title)} (${statusOf(record)})`, { onArrival: true });
      return;
  }
}
