import { displayTitle, isolated } from '@stet/domain/workflows';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { errorSentence, isStatus } from '../../../lib/api/api-error.ts';
import { useCan, useUser } from '../../../lib/session/signed-in.ts';
import type { Organization } from '../../../lib/session/signed-in.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorState } from '../../../ui/empty-state.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { LoadingLine } from '../../../ui/spinner.tsx';
import { toast, useErrorToast } from '../../../ui/toast.ts';
import { useEditorSource } from '../api/use-editor-source.ts';
import { documentId } from '../model/editor-address.ts';
import type { DocumentAddress } from '../model/editor-address.ts';
import { statusOf } from '../model/source.ts';
import type { EditorSource } from '../model/source.ts';
import { EDITOR_ROUTES } from './editor-routes.ts';
import { SAME_DOCUMENT } from './use-leave-guard.ts';
import { useEditorView } from './use-editor-view.ts';
import type { EditorView } from './use-editor-view.ts';
import { WorkflowEditor } from './workflow-editor.tsx';
import styles from './workflow-editor.module.css';

type OpenedWorkflowProps = {
  /** The route, named by its default view. */
  route: EditorView;
  address: DocumentAddress;
  organization: Organization;
  /** Renders the links to the other pages of a saved workflow. */
  renderTabs?: (key: string) => ReactNode;
  /** Shown below the table to people who can edit. */
  nextStep?: ReactNode;
  onStartRun: (workflow: { key: string; title: string }) => void;
};

/**
 * The workflow at an address. It stays open when saving changes its address. Any other address opens a different
 * document.
 */
export function OpenedWorkflow(props: OpenedWorkflowProps) {
  const { address } = props;
  const id = documentId(address);
  const [session, setSession] = useState({ number: 0, address, ids: [id] });
  const isKnown = session.ids.includes(id);
  const current = isKnown ? session : { number: session.number + 1, address, ids: [id] };
  if (!isKnown) setSession(current);
  return (
    <LoadedWorkflow
      key={current.number}
      {...props}
      address={current.address}
      session={current.number}
      onMoved={(next) => setSession((before) => ({ ...before, ids: [...before.ids, documentId(next)] }))}
    />
  );
}

type LoadedWorkflowProps = OpenedWorkflowProps & { session: number; onMoved: (address: DocumentAddress) => void };

function LoadedWorkflow(props: LoadedWorkflowProps) {
  const { route, address, session, organization, renderTabs, nextStep, onStartRun, onMoved } = props;
  const { title, list, backToList, workflow } = EDITOR_ROUTES[route];
  const navigate = useNavigate();
  const location = useLocation();
  const { id: userId } = useUser();
  const { view, onView, query: viewQuery } = useEditorView(route);
  const rights = {
    edit: useCan('draft.edit'),
    run: useCan('run.start'),
    archive: useCan('workflow.archive'),
    archiveUnmerged: useCan('workflow.archive_unmerged'),
  };
  const { data: source, error, isPending, refetch } = useEditorSource(address, session);
  useErrorToast(error, 'Error', errorSentence(error, 'Failed to load workflow'));
  useEffect(() => {
    if (source && route === 'table') sayOpened(source);
  }, [source, route]);

  // Return to the list with its filter and position. If the page was opened from a link, the history has no such entry,
  // so open the list itself.
  const leave = () => void (cameFromList(location.state) ? navigate(-1) : navigate(list));
  if (isPending) {
    return (
      <div className={styles.editorLoading}>
        <PageTitle>{title}</PageTitle>
        <LoadingLine>Loading workflow...</LoadingLine>
      </div>
    );
  }
  if (error) {
    return (
      <div className="page">
        <PageTitle>{title}</PageTitle>
        <ErrorState
          heading="h1"
          title="Failed to load workflow"
          {...(!isStatus(error, 404) && { onRetry: () => void refetch() })}
          action={<Button onClick={leave}>{backToList}</Button>}
        >
          {errorSentence(error, 'An error occurred')}
        </ErrorState>
      </div>
    );
  }
  return (
    <>
      <WorkflowEditor
        source={source}
        organization={organization}
        userId={userId}
        rights={rights}
        view={view}
        tabs={renderTabs?.(source.key)}
        onView={onView}
        viewOnly={address.open === 'workflow' && address.viewOnly === true}
        onClose={leave}
        onStartRun={onStartRun}
        onGone={() => void navigate(list, { state: SAME_DOCUMENT })}
        onMoved={(to) => {
          onMoved({ open: 'workflow', ...to });
          const state = { ...(location.state as object | null), ...SAME_DOCUMENT };
          void navigate(workflow({ ...to, ...viewQuery }), { replace: true, state, preventScrollReset: true });
        }}
      />
      {rights.edit && view === 'table' && nextStep}
    </>
  );
}

const cameFromList = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'fromList' in state && state.fromList === true;

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
