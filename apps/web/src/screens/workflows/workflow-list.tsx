import { useMutation } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { duplicateProblem } from '../../features/editor/api/duplicate-problem.ts';
import { StartRunDialog } from '../../features/start-run/parts/start-run-dialog.tsx';
import { useWorkflowCounts, useWorkflowList } from '../../features/workflow-list/api/use-workflow-list.ts';
import { cardOf } from '../../features/workflow-list/model/card.ts';
import type { Card } from '../../features/workflow-list/model/card.ts';
import { isNarrowed, readListFilter, writeListFilter } from '../../features/workflow-list/model/list-filter.ts';
import type { ListFilter } from '../../features/workflow-list/model/list-filter.ts';
import { DeleteDialog } from '../../features/workflow-list/parts/delete-dialog.tsx';
import { ListFilters } from '../../features/workflow-list/parts/list-filters.tsx';
import { StatusCounts } from '../../features/workflow-list/parts/status-counts.tsx';
import type { CardAct } from '../../features/workflow-list/parts/workflow-card.tsx';
import { WorkflowGrid } from '../../features/workflow-list/parts/workflow-grid.tsx';
import { paths } from '../../lib/paths.ts';
import { useCan } from '../../lib/session/signed-in.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { Button } from '../../ui/button.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { toast } from '../../ui/toast.ts';

/** Which control opened the builder: focus comes back to it. */
export type LastOpened = { key: string; act: CardAct };

/** What is open over the list. */
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
  useEffect(() => {
    if (hasFailed) toast.bad('Failed to load workflows');
  }, [hasFailed]);

  const narrow = useCallback(
    (next: ListFilter) => setAddress(writeListFilter(next), { replace: true, preventScrollReset: true }),
    [setAddress],
  );
  const build = useCallback(
    (query: Parameters<typeof paths.workflows>[0]) =>
      void navigate(paths.workflows(query), { state: { fromList: true } }),
    [navigate],
  );
  // The source is looked at first: what can't be duplicated says so here, where the person is.
  const duplicate = useMutation({
    mutationFn: async (key: string) => {
      const problem = await duplicateProblem(key);
      if (problem) throw problem;
      return key;
    },
    onSuccess: (key) => build({ builder: 'new', duplicate: key }),
    onError: (problem) => toast.bad(problem.name, problem.message),
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
  // Back from the builder: the list is drawn anew, and focus would be at the page's start.
  const returning = useRef(lastOpened);
  const hasCards = cards.length > 0;
  useEffect(() => {
    const from = returning.current;
    if (!hasCards || !from) return;
    returning.current = null;
    const cardOfKey = [...document.querySelectorAll<HTMLElement>('.wf')].find(
      ({ dataset }) => dataset['key'] === from.key,
    );
    cardOfKey?.querySelector<HTMLElement>(`[data-act="${from.act}"]`)?.focus({ preventScroll: true });
  }, [hasCards]);

  return (
    <div className="page">
      <div className="centred wf-screen">
        <PageTitle>Workflow Management</PageTitle>
        <Breadcrumbs trail={[{ label: 'Dashboard', to: paths.app }, { label: 'Workflows' }]} />
        <div className="head">
          <h1 className="title">Workflow Management</h1>
          {rights.edit && (
            <div className="acts">
              <Button tone="primary" icon={Plus} onClick={() => build({ builder: 'new' })}>
                Create Workflow
              </Button>
            </div>
          )}
        </div>
        <StatusCounts counts={counts.data} status={filter.status} onPick={(status) => narrow({ ...filter, status })} />
        <ListFilters filter={filter} onChange={narrow} />
        <WorkflowGrid
          list={list}
          cards={cards}
          narrowed={isNarrowed(filter)}
          rights={rights}
          duplicatingKey={duplicate.isPending ? duplicate.variables : null}
          onAct={act}
          onCreate={() => build({ builder: 'new' })}
          onClear={() => narrow({ q: '', status: 'all' })}
        />
        <p className="vh" role="status">
          {list.isSuccess && !list.isPlaceholderData && foundSentence(cards.length, list.hasNextPage)}
        </p>
      </div>
      {open?.dialog === 'delete' && <DeleteDialog card={open.card} onClose={() => setOpen(null)} />}
      {open?.dialog === 'run' && (
        <StartRunDialog
          workflow={open.card}
          onClose={() => setOpen(null)}
          onStarted={({ id, name }) => {
            toast.ok('Run Started', name);
            void navigate(paths.run(id));
          }}
        />
      )}
    </div>
  );
}

function useRights() {
  const edit = useCan('draft.edit');
  const run = useCan('run.start');
  const archive = useCan('workflow.archive');
  const archiveUnmerged = useCan('workflow.archive_unmerged');
  // One object while nothing changes, so that the cards stay as they are.
  return useMemo(() => ({ edit, run, archive, archiveUnmerged }), [edit, run, archive, archiveUnmerged]);
}

const foundSentence = (shown: number, more: boolean): string =>
  more ? `${shown} workflows shown, and there are more` : `${shown === 1 ? '1 workflow' : `${shown} workflows`} shown`;
