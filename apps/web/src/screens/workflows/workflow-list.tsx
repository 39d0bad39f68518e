import { useMutation } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { StartRunDialog } from '../../features/start-run/components/start-run-dialog.tsx';
import { duplicateProblem } from '../../features/workflow-editor/api/duplicate-problem.ts';
import {
  readWorkflows,
  useWorkflowCounts,
  useWorkflowList,
} from '../../features/workflow-list/api/use-workflow-list.ts';
import { cardOf } from '../../features/workflow-list/model/card.ts';
import type { Card } from '../../features/workflow-list/model/card.ts';
import {
  NO_FILTER,
  isNarrowed,
  readListFilter,
  writeListFilter,
} from '../../features/workflow-list/model/list-filter.ts';
import type { ListFilter } from '../../features/workflow-list/model/list-filter.ts';
import { DeleteDialog } from '../../features/workflow-list/components/delete-dialog.tsx';
import { ListFilters } from '../../features/workflow-list/components/list-filters.tsx';
import { StatusCounts } from '../../features/workflow-list/components/status-counts.tsx';
import type { CardAct } from '../../features/workflow-list/components/workflow-card.tsx';
import { WorkflowGrid } from '../../features/workflow-list/components/workflow-grid.tsx';
import { WORKFLOW_COLUMNS } from '../../lib/csv.ts';
import { paths } from '../../lib/paths.ts';
import { useCan } from '../../lib/session/signed-in.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { Button } from '../../ui/button.tsx';
import { ExportCsvButton } from '../../ui/export-csv-button.tsx';
import { FailureNote } from '../../ui/note.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { useErrorToast } from '../../ui/toast.ts';

/** The control that opened the builder. The focus returns to it. */
export type LastOpened = { key: string; act: CardAct };

/** The dialog that is open above the list. */
type Open = { dialog: 'run' | 'delete'; card: Card } | null;

type WorkflowListProps = {
  organizationId: string;
  lastOpened: LastOpened | null;
  onOpened: (from: LastOpened) => void;
};

export function WorkflowList({ organizationId, lastOpened, onOpened }: WorkflowListProps) {
  const navigate = useNavigate();
  const [address, setAddress] = useSearchParams();
  const filter = readListFilter(address);
  const list = useWorkflowList(organizationId, filter);
  const counts = useWorkflowCounts(organizationId);
  const [open, setOpen] = useState<Open>(null);
  const rights = useRights();
  const cards = useMemo(() => (list.data?.pages ?? []).flatMap((page) => page.workflows.map(cardOf)), [list.data]);

  const hasFailed = list.isError && !list.data;
  useErrorToast(hasFailed, 'Failed to load workflows');

  const narrow = useCallback(
    (next: ListFilter) => setAddress(writeListFilter(next), { replace: true, preventScrollReset: true }),
    [setAddress],
  );
  const build = useCallback(
    (query: Parameters<typeof paths.workflows>[0]) =>
      void navigate(paths.workflows(query), { state: { fromList: true } }),
    [navigate],
  );
  // Check the source first, so that this page can show why it can't be duplicated.
  const duplicate = useMutation({
    mutationFn: async (key: string) => {
      const problem = await duplicateProblem(key);
      if (problem) throw problem;
      return key;
    },
    onSuccess: (key) => build({ builder: 'new', duplicate: key }),
  });
  const { mutate: startDuplicate } = duplicate;
  const act = useCallback(
    (what: CardAct, card: Card) => {
      const { key, draftId } = card;
      if (what !== 'run' && what !== 'delete') onOpened({ key, act: what });
      if (what === 'view') return build({ builder: 'view', key });
      if (what === 'edit') return build({ builder: 'edit', key, ...(draftId !== null && { draftId }) });
      if (what === 'duplicate') return startDuplicate(key);
      return setOpen({ dialog: what, card });
    },
    [build, startDuplicate, onOpened],
  );
  // The list is mounted again after the builder closes, so the focus would otherwise be at the start of the page.
  const returning = useRef(lastOpened);
  const hasCards = cards.length > 0;
  useEffect(() => {
    const from = returning.current;
    if (!hasCards || !from) return;
    returning.current = null;
    const cardOfKey = [...document.querySelectorAll<HTMLElement>('article[data-key]')].find(
      ({ dataset }) => dataset['key'] === from.key,
    );
    cardOfKey?.querySelector<HTMLElement>(`[data-act="${from.act}"]`)?.focus({ preventScroll: true });
  }, [hasCards]);

  return (
    <div className="page">
      <PageTitle>Workflow Management</PageTitle>
      <Breadcrumbs trail={[{ label: 'Dashboard', to: paths.app }, { label: 'Workflows' }]} />
      <div className="head">
        <h1 className="title">Workflow Management</h1>
        <div className="actions">
          {cards.length > 0 && (
            <ExportCsvButton
              fileName="workflows.csv"
              columns={WORKFLOW_COLUMNS}
              readPage={async (cursor, signal) => {
                const { workflows, next } = await readWorkflows(filter, { cursor, limit: 200, signal });
                return { rows: workflows, next };
              }}
            />
          )}
          {rights.edit && (
            <Button tone="primary" icon={Plus} onClick={() => build({ builder: 'new' })}>
              Create Workflow
            </Button>
          )}
        </div>
      </div>
      <StatusCounts counts={counts.data} status={filter.status} onPick={(status) => narrow({ ...filter, status })} />
      <ListFilters filter={filter} tags={counts.data?.tags ?? []} onChange={narrow} />
      {duplicate.error && (
        <FailureNote
          above
          cause={duplicate.error}
          title={duplicate.error.name}
          message={duplicate.error.message}
          onDismiss={duplicate.reset}
        />
      )}
      <WorkflowGrid
        list={list}
        cards={cards}
        narrowed={isNarrowed(filter)}
        rights={rights}
        duplicatingKey={duplicate.isPending ? duplicate.variables : null}
        onAct={act}
        onCreate={() => build({ builder: 'new' })}
        onClear={() => narrow(NO_FILTER)}
      />
      <p className="vh" role="status">
        {list.isSuccess && !list.isPlaceholderData && foundSentence(cards.length, list.hasNextPage)}
      </p>
      {open?.dialog === 'delete' && <DeleteDialog card={open.card} onClose={() => setOpen(null)} />}
      {open?.dialog === 'run' && <StartRunDialog workflow={open.card} onClose={() => setOpen(null)} />}
    </div>
  );
}

function useRights() {
  const edit = useCan('draft.edit');
  const run = useCan('run.start');
  const archive = useCan('workflow.archive');
  const archiveUnmerged = useCan('workflow.archive_unmerged');
  // The object must be stable, so that the cards don't rerender.
  return useMemo(() => ({ edit, run, archive, archiveUnmerged }), [edit, run, archive, archiveUnmerged]);
}

const foundSentence = (shown: number, more: boolean): string =>
  more ? `${shown} workflows shown. More are available.` : `${shown === 1 ? '1 workflow' : `${shown} workflows`} shown`;
