import type { Comment, Diff } from '@stet/contract';
import type { Step } from '@stet/domain/steps';
import type { ChangeList } from '../model/listed-changes.ts';
import { metadataChanges } from '@stet/presentation/change-words';
import { Button } from '../../../ui/button.tsx';
import { ChangeCard, commentsOf } from './change-card.tsx';
import type { Commenting } from './commenting.ts';
import { FieldTable } from '../../../ui/field-table.tsx';
import { UnchangedSteps } from './unchanged-steps.tsx';
import styles from './change-card.module.css';

type ChangesProps = {
  list: ChangeList;
  metadata: Diff['metadata'];
  byStep: ReadonlyMap<string, Comment[]>;
  commenting: Commenting;
  titleOf: (stepId: string) => string;
  steps: readonly Step[];
  /** Loads more changes. Null if the maximum is already loaded. */
  onShowAll: (() => void) | null;
  isLoadingMore: boolean;
};

/** The changes in detail: the workflow's own texts, then its steps in document order (specification, section 2). */
export function Changes({
  list,
  metadata,
  byStep,
  commenting,
  titleOf,
  steps,
  onShowAll,
  isLoadingMore,
}: ChangesProps) {
  const texts = metadataChanges(metadata);
  return (
    <>
      {texts.length > 0 && (
        <article className={styles.chg} aria-label="Name and description" tabIndex={-1} data-change="modified">
          <header>
            <span className={styles.no} />
            <h2>Name and description</h2>
          </header>
          <FieldTable fields={texts} of="name and description" />
        </article>
      )}
      {list.blocks.map((block) =>
        block.kind === 'unchanged' ? (
          <UnchangedSteps
            key={`fold-${block.steps[0]?.step.id}`}
            steps={block.steps}
            byStep={byStep}
            commenting={commenting}
            titleOf={titleOf}
          />
        ) : (
          <ChangeCard
            key={block.kind === 'change' ? block.entry.id : block.step.id}
            block={block}
            comments={commentsOf(byStep, block.kind === 'change' ? block.entry.id : block.step.id)}
            commenting={commenting}
            titleOf={titleOf}
            steps={steps}
          />
        ),
      )}
      {list.more > 0 && (
        <p className={styles.moreChanges}>
          {list.more === 1 ? '1 more change is not shown.' : `${list.more} more changes are not shown.`}
          {onShowAll && (
            <Button size="sm" busy={isLoadingMore && 'Loading…'} onClick={onShowAll}>
              Show all {list.more + changesIn(list)}
            </Button>
          )}
        </p>
      )}
    </>
  );
}

const changesIn = ({ blocks }: ChangeList): number => blocks.filter(({ kind }) => kind === 'change').length;
