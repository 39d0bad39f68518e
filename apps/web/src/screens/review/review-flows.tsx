import type { WholeDraft } from '@stet/contract';
import { Workflow } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useVersion } from '../../features/review/api/use-review.ts';
import { LazyFlowPicture } from '../../features/workflow-editor/flow-picture/components/lazy-flow-picture.tsx';
import { flowMarks } from '../../features/workflow-editor/flow-picture/model/flow-marks.ts';
import { errorSentence } from '../../lib/api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import styles from './review-screen.module.css';

type ReviewFlowsProps = {
  draft: WholeDraft;
  /**
   * The version in the first diagram: the one that the changes are compared with or, if they are compared with an
   * earlier content of the draft, its base. Null if there is none.
   */
  version: number | null;
};

/** The diagrams of a version and of the draft, with the changes between them marked. Closed at first. */
export function ReviewFlows({ draft, version }: ReviewFlowsProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={styles.flows} aria-label="Flow">
      <Button size="sm" icon={Workflow} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide the flow' : 'Show the flow'}
      </Button>
      {isOpen &&
        (version === null ? (
          <div className={styles.flowPair}>
            <Flow title="This draft" steps={draft.steps} />
          </div>
        ) : (
          <BothFlows draft={draft} version={version} />
        ))}
    </section>
  );
}

function BothFlows({ draft, version }: { draft: WholeDraft; version: number }) {
  const before = useVersion({ key: draft.key, number: String(version) });
  const marks = useMemo(
    () => (before.data ? flowMarks(before.data.steps, draft.steps) : null),
    [before.data, draft.steps],
  );
  if (before.error) {
    return (
      <ErrorState title="Failed to load the flow" onRetry={() => void before.refetch()}>
        {errorSentence(before.error, 'An error occurred')}
      </ErrorState>
    );
  }
  if (!before.data || !marks) return <SkeletonRows rows={4} label="Loading the flow" />;
  const name = version === draft.liveVersion ? `v${version}, live now` : `v${version}`;
  return (
    <div className={styles.flowPair}>
      <Flow title={name} steps={before.data.steps} marks={marks.before} />
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
