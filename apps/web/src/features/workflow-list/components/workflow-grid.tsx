import { SearchX, FilePlus2 } from 'lucide-react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../../ui/empty-state.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { AfterPatience, SkeletonLine } from '../../../ui/skeleton.tsx';
import type { useWorkflowList } from '../api/use-workflow-list.ts';
import type { Card, CardRights } from '../model/card.ts';
import { WorkflowCard } from './workflow-card.tsx';
import type { CardAct } from './workflow-card.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './workflow-grid.module.css';

type WorkflowGridProps = {
  list: ReturnType<typeof useWorkflowList>;
  cards: readonly Card[];
  /** Whether a search or a filter is active. */
  narrowed: boolean;
  rights: CardRights;
  duplicatingKey: string | null;
  onAct: (act: CardAct, card: Card) => void;
  onCreate: () => void;
  onClear: () => void;
};

/** The cards, or a message if there are none. */
export function WorkflowGrid(props: WorkflowGridProps) {
  const { list, cards, narrowed, rights, duplicatingKey, onAct, onCreate, onClear } = props;
  if (list.isPending) return <GridLoading />;
  if (list.error && !list.data) {
    return (
      <ErrorState title="Failed to load workflows" retryLabel="Retry" onRetry={() => void list.refetch()}>
        {errorSentence(list.error, 'An error occurred')}
      </ErrorState>
    );
  }
  if (cards.length === 0 && narrowed) {
    return (
      <EmptyState
        icon={SearchX}
        title="No workflows found"
        action={<Button onClick={onClear}>Clear search and filter</Button>}
      />
    );
  }
  if (cards.length === 0) {
    return (
      <EmptyState
        icon={FilePlus2}
        title="No workflows yet"
        action={rights.edit && <Button onClick={onCreate}>Create Your First Workflow</Button>}
      >
        {!rights.edit && 'Workflows appear here once an editor has created one.'}
      </EmptyState>
    );
  }
  return (
    <>
      <ul
        className={classNames(styles.wfGrid, list.isPlaceholderData && styles.old)}
        aria-label="Workflows"
        aria-busy={list.isPlaceholderData}
      >
        {cards.map((card) => (
          <WorkflowCard
            key={card.key}
            card={card}
            rights={rights}
            duplicating={card.key === duplicatingKey}
            onAct={onAct}
          />
        ))}
      </ul>
      <LoadMore
        more={list.hasNextPage}
        loading={list.isFetchingNextPage}
        failed={list.isFetchNextPageError}
        onMore={() => void list.fetchNextPage()}
      />
    </>
  );
}

function GridLoading() {
  return (
    <AfterPatience label="Loading workflows...">
      <div className={styles.wfGrid} aria-hidden="true">
        {['62%', '48%', '70%', '54%', '40%', '66%'].map((width) => (
          <div className={classNames('sheet', styles.wf)} key={width}>
            <SkeletonLine width={width} height={16} />
            <SkeletonLine width="36%" height={8} />
            <SkeletonLine width="92%" />
          </div>
        ))}
      </div>
    </AfterPatience>
  );
}
