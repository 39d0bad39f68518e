import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { builderAddressId } from '../../features/workflow-editor/builder/model/builder-address.ts';
import type { BuilderAddress } from '../../features/workflow-editor/builder/model/builder-address.ts';
import { StartRunDialog } from '../../features/start-run/components/start-run-dialog.tsx';
import { useEditorView } from '../../features/workflow-editor/components/use-editor-view.ts';
import { WorkflowEditor } from '../../features/workflow-editor/components/workflow-editor.tsx';
import { SAME_DOCUMENT } from '../../features/workflow-editor/components/use-leave-guard.ts';
import { errorSentence, isStatus } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { useCan, useUser } from '../../lib/session/signed-in.ts';
import type { Organization } from '../../lib/session/signed-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { LoadingLine } from '../../ui/spinner.tsx';
import { useErrorToast } from '../../ui/toast.ts';
import { useBuilderSource } from './builder-source.ts';

type BuilderScreenProps = { address: BuilderAddress; organization: Organization };

/** The builder at an address. The document keeps its session when saving changes its address. */
export function BuilderScreen({ address, organization }: BuilderScreenProps) {
  const name = builderAddressId(address);
  const [session, setSession] = useState({ number: 0, address, names: [name] });
  const known = session.names.includes(name);
  const current = known ? session : { number: session.number + 1, address, names: [name] };
  if (!known) setSession(current);
  return (
    <OneBuilder
      key={current.number}
      address={current.address}
      session={current.number}
      organization={organization}
      onRenamed={(next) => setSession((before) => ({ ...before, names: [...before.names, builderAddressId(next)] }))}
    />
  );
}

type OneBuilderProps = BuilderScreenProps & { session: number; onRenamed: (address: BuilderAddress) => void };

function OneBuilder({ address, session, organization, onRenamed }: OneBuilderProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const query = useBuilderSource(address, session);
  useErrorToast(query.error, 'Error', errorSentence(query.error, 'Failed to load workflow'));
  const { view, onView, query: viewQuery } = useEditorView('builder');
  const { id: userId } = useUser();
  const rights = {
    edit: useCan('draft.edit'),
    run: useCan('run.start'),
    archive: useCan('workflow.archive'),
    archiveUnmerged: useCan('workflow.archive_unmerged'),
  };
  const [running, setRunning] = useState<{ key: string; title: string } | null>(null);
  const fromList = cameFromList(location.state);
  // Return to the list with its filter and position. After opening a link, there is no such entry in the history, so
  // open the list.
  const leave = () => void (fromList ? navigate(-1) : navigate(paths.workflows()));
  if (query.isPending) {
    return (
      <div className="page">
        <PageTitle>Workflow builder</PageTitle>
        <LoadingLine>Loading workflow...</LoadingLine>
      </div>
    );
  }
  if (query.error) {
    return (
      <div className="page">
        <PageTitle>Workflow builder</PageTitle>
        <ErrorState
          heading="h1"
          title="Failed to load workflow"
          {...(!isStatus(query.error, 404) && { retryLabel: 'Retry', onRetry: () => void query.refetch() })}
          action={<Button onClick={leave}>Back to Workflow Management</Button>}
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
        onView={onView}
        viewOnly={address.open === 'workflow' && address.mode === 'view'}
        onClose={leave}
        onStartRun={setRunning}
        onGone={() => void navigate(paths.workflows(), { state: SAME_DOCUMENT })}
        onMoved={({ key, draftId }) => {
          onRenamed({ open: 'workflow', key, draftId, mode: 'edit' });
          const to = paths.workflows({ builder: 'edit', key, ...(draftId !== null && { draftId }), ...viewQuery });
          void navigate(to, { replace: true, state: { ...SAME_DOCUMENT, fromList } });
        }}
      />
      {running && <StartRunDialog workflow={running} onClose={() => setRunning(null)} />}
    </>
  );
}

const cameFromList = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'fromList' in state && state.fromList === true;
