import type { Diff, WholeDraft } from '@stet/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { Workflow } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useReviewedContent, useVersion } from '../../features/review/api/use-review.ts';
import { LazyFlowPicture } from '../../features/workflow-editor/flow-picture/components/lazy-flow-picture.tsx';
import { flowMarks } from '../../features/workflow-editor/flow-picture/model/flow-marks.ts';
import { errorSentence } from '../../lib/api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import styles from './review-screen.module.css';

type ReviewFlowsProps = {
  draft: WholeDraft;
  /** The content that the draft is compared with. */
  against: Diff['against'];
};

/**
 * The diagrams of the content that the draft is compared with and of the draft, with the changes between them marked.
 * Closed at first.
 */
export function ReviewFlows({ draft, against }: ReviewFlowsProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={styles.flows} aria-label="Flow">
      <Button size="sm" icon={Workflow} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide the flow' : 'Show the flow'}
      </Button>
      {isOpen &&
        (against.reviewId !== null ? (
          <SinceReview draft={draft} what={against.what} reviewId={against.reviewId} />
        ) : against.version !== null ? (
          <SinceVersion draft={draft} version={against.version} />
        ) : (
          <div className={styles.flowPair}>
            <Flow title="This draft" steps={draft.steps} />
          </div>
        ))}
    </section>
  );
}

type SinceReviewProps = { draft: WholeDraft; what: Diff['against']['what']; reviewId: string };

function SinceReview({ draft, what, reviewId }: SinceReviewProps) {
  const before = useReviewedContent({ key: draft.key, id: draft.id }, reviewId);
  const name = `The draft when you ${what === 'approved' ? 'approved' : 'last reviewed'} it`;
  return <LoadedFlows draft={draft} name={name} before={before} />;
}

function SinceVersion({ draft, version }: { draft: WholeDraft; version: number }) {
  const before = useVersion({ key: draft.key, number: String(version) });
  const name = version === draft.liveVersion ? `v${version}, live now` : `v${version}`;
  return <LoadedFlows draft={draft} name={name} before={before} />;
}

type LoadedFlowsProps = {
  draft: WholeDraft;
  name: string;
  before: Pick<UseQueryResult<{ steps: WholeDraft['steps'] }>, 'data' | 'error' | 'refetch'>;
};

function LoadedFlows({ draft, name, before }: LoadedFlowsProps) {
  if (before.error) {
    return (
      <ErrorState title="Failed to load the flow" onRetry={() => void before.refetch()}>
        {errorSentence(before.error, 'An error occurred')}
      </ErrorState>
    );
  }
  if (!before.data) return <SkeletonRows rows={4} label="Loading the flow" />;
  return <BothFlows draft={draft} name={name} before={before.data.steps} />;
}

function BothFlows({ draft, name, before }: { draft: WholeDraft; name: string; before: WholeDraft['steps'] }) {
  const marks = useMemo(() => flowMarks(before, draft.steps), [before, draft.steps]);
  return (
    <div className={styles.flowPair}>
      <Flow title={name} steps={before} marks={marks.before} />
      <Flow
        title={draft.version === null ? 'This draft' : `v${draft.version}`}
        steps={draft.steps}
        marks={marks.after}
      />
    </div>
  );
}

type FlowProps = { title: string; steps: WholeDraft['steps']; marks?: ReturnType<typeof flowMarks>['after'] };

function Flow({ title, steps, marks }: FlowProps) {
  return (
    <div className={styles.flow}>
      <h2 className="h3">{title}</h2>
      <div className={styles.flowFrame}>
        <LazyFlowPicture steps={steps} marks={marks} label={`Diagram: ${title}`} />
      </div>
    </div>
  );
}
