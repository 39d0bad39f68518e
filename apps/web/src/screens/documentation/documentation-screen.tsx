import { Lock } from 'lucide-react';
import { useNavigate, useSearchParams } from 'react-router';
import {
  readFoundWorkflows,
  useFoundWorkflows,
  useTags,
} from '../../features/documentation/api/use-found-workflows.ts';
import { useNewDraft } from '../../features/documentation/api/use-new-draft.ts';
import {
  NO_FILTERS,
  docsAddress,
  isNarrowed,
  readDocsFilters,
} from '../../features/documentation/model/docs-filters.ts';
import type { DocsFilters } from '../../features/documentation/model/docs-filters.ts';
import { DocsFilterBar } from '../../features/documentation/components/docs-filter-bar.tsx';
import type { RowAction } from '../../features/documentation/components/docs-table.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { WORKFLOW_COLUMNS } from '../../lib/csv.ts';
import { paths } from '../../lib/paths.ts';
import { useCan, useSignedIn } from '../../lib/session/signed-in.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExportCsvButton } from '../../ui/export-csv-button.tsx';
import { FailureNote } from '../../ui/note.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Split } from '../../ui/side-panel.tsx';
import { toast } from '../../ui/toast.ts';
import { SelectedWorkflow } from './selected-workflow.tsx';
import { useSelectionKeys } from './use-workflow-selection.ts';
import { WorkflowRows } from './workflow-rows.tsx';

const TRAIL = [{ label: 'Dashboard', to: paths.app }, { label: 'Documentation' }];

/** `/app/docs` (specification, section 2), for members who can see workflows. */
export function DocumentationScreen() {
  const { source, user } = useSignedIn();
  const canSee = useCan('workflow.read');
  if (source === 'server' && !(user.currentOrgId && canSee)) {
    return (
      <div className="page">
        <PageTitle>Documentation</PageTitle>
        <Breadcrumbs trail={TRAIL} />
        <h1 className="title">Workflows</h1>
        <EmptyState icon={Lock} title="No organization selected">
          Select an organization to see its workflows.
        </EmptyState>
      </div>
    );
  }
  return <Documentation />;
}

function Documentation() {
  const [address, setAddress] = useSearchParams();
  const navigate = useNavigate();
  const filters = readDocsFilters(address);
  const selectedKey = address.get('key');
  const found = useFoundWorkflows(filters);
  const tags = useTags();
  const canEdit = useCan('draft.edit');
  const newDraft = useNewDraft();
  const change = (next: DocsFilters, key: string | null) => setAddress(docsAddress(next, key), { replace: true });
  const select = (key: string | null) => change(filters, key);
  useSelectionKeys(selectedKey, select);

  const openDraft = (key: string, as: 'change' | 'version') => {
    if (newDraft.isPending) return;
    newDraft.mutate(
      { key, as },
      {
        onSuccess: ({ draftId, isNew }) => {
          if (isNew) toast.ok('Draft created. Opening editor...', undefined, { forNextScreen: true });
          void navigate(paths.editor({ key, draftId }));
        },
      },
    );
  };
  const act = (key: string, action: RowAction) => {
    if (action === 'version') openDraft(key, 'version');
    else void navigate(paths.editor({ key: 'new', mode: 'edit', duplicate: key }));
  };
  const failure = newDraft.error && (
    <FailureNote
      above
      cause={newDraft.error}
      title="Failed to create draft"
      message={errorSentence(newDraft.error, '')}
      onDismiss={newDraft.reset}
    />
  );
  // On phones the panel covers the list, so a failure that concerns the selected workflow is shown in the panel.
  const isOfPanel = newDraft.variables?.key === selectedKey;
  const opening = newDraft.isPending ? newDraft.variables : null;

  return (
    <Split
      panel={
        selectedKey !== null && (
          <SelectedWorkflow
            key={selectedKey}
            workflowKey={selectedKey}
            isOpening={opening?.key === selectedKey && opening.as === 'change'}
            failure={isOfPanel && failure}
            onChangeInEditor={() => openDraft(selectedKey, 'change')}
            onAct={(action) => act(selectedKey, action)}
            onClose={() => select(null)}
          />
        )
      }
    >
      <PageTitle>Documentation</PageTitle>
      <Breadcrumbs trail={TRAIL} />
      <div className="head">
        <h1 className="title">Workflows</h1>
        {found.data?.pages.some(({ workflows }) => workflows.length > 0) && (
          <div className="actions">
            <ExportCsvButton
              fileName="workflows.csv"
              columns={WORKFLOW_COLUMNS}
              readPage={async (cursor, signal) => {
                const { workflows, nextCursor } = await readFoundWorkflows(filters, cursor, signal);
                return { rows: workflows, next: nextCursor ?? null };
              }}
            />
          </div>
        )}
      </div>
      <DocsFilterBar filters={filters} tags={tags.data ?? []} onChange={(next) => change(next, selectedKey)} />
      {!isOfPanel && failure}
      <WorkflowRows
        found={found}
        selectedKey={selectedKey}
        isNarrowed={isNarrowed(filters)}
        canEdit={canEdit}
        busy={opening?.as === 'version' ? { key: opening.key, action: 'version' } : null}
        onSelect={select}
        onAct={act}
        onShowAll={() => change(NO_FILTERS, selectedKey)}
      />
    </Split>
  );
}
