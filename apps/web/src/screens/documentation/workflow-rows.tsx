import { FileText, SearchX } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { useFoundWorkflows } from '../../features/documentation/api/use-found-workflows.ts';
import { DocsTable } from '../../features/documentation/components/docs-table.tsx';
import type { RowAction } from '../../features/documentation/components/docs-table.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { AfterPatience } from '../../ui/skeleton.tsx';
import { LoadingLine } from '../../ui/spinner.tsx';
import { useErrorToast } from '../../ui/toast.ts';
import styles from '../../features/documentation/components/docs-table.module.css';

type WorkflowRowsProps = {
  found: ReturnType<typeof useFoundWorkflows>;
  selectedKey: string | null;
  isNarrowed: boolean;
  canEdit: boolean;
  busy: { key: string; action: RowAction } | null;
  onSelect: (key: string) => void;
  onAct: (key: string, action: RowAction) => void;
  onShowAll: () => void;
};

/** The table of workflows. In its place: a line of text while it loads, an error with a retry, or an empty state. */
export function WorkflowRows({ found, isNarrowed, canEdit, onShowAll, ...table }: WorkflowRowsProps) {
  const navigate = useNavigate();
  const hasFailed = found.isError && !found.data;
  useErrorToast(hasFailed, 'Failed to load workflows');
  if (found.isPending) {
    return (
      <AfterPatience label="Loading workflows...">
        <LoadingLine>Loading workflows...</LoadingLine>
      </AfterPatience>
    );
  }
  if (!found.data) {
    return (
      <ErrorState title="Failed to load workflows" onRetry={() => void found.refetch()}>
        {errorSentence(found.error, '')}
      </ErrorState>
    );
  }
  // A row may move to a later page while more pages load, so remove duplicates.
  const workflows = [
    ...new Map(found.data.pages.flatMap((page) => page.workflows.map((each) => [each.key, each] as const))).values(),
  ];
  if (workflows.length === 0) {
    return isNarrowed ? (
      <EmptyState icon={SearchX} title="No workflows" action={<Button onClick={onShowAll}>Show all workflows</Button>}>
        No workflows match these filters.
      </EmptyState>
    ) : (
      <EmptyState
        icon={FileText}
        title="No workflows"
        action={canEdit && <ButtonLink to={paths.editor()}>Go to the editor</ButtonLink>}
      >
        Workflows appear here once an editor has created one.
      </EmptyState>
    );
  }
  return (
    <>
      <div className="sheet">
        <DocsTable
          workflows={workflows}
          canEdit={canEdit}
          onOpen={(key) => void navigate(paths.document(key))}
          {...table}
        />
      </div>
      {found.hasNextPage && (
        <div className={styles.docsMore}>
          <Button busy={found.isFetchingNextPage && 'Loading…'} onClick={() => void found.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </>
  );
}
