import type { User, WorkflowSummary } from '@stet/contract';
import { cutText, displayTitle } from '@stet/domain/workflows';
import { Link } from 'react-router';
import { formatSharedDate } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { LoadingLine } from '../../../ui/spinner.tsx';
import { completeFirstStep, startRun } from '../api/legacy-calls.ts';
import { useLegacyAction, useLegacyRuns } from '../api/use-legacy.ts';
import { completeProblem, startProblem } from '../model/legacy-role.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './legacy.module.css';

/** The runs. A new run uses the first live workflow or, if none is live, the first workflow. */
export function RunsBox({ user, workflows }: { user: User; workflows: readonly WorkflowSummary[] }) {
  const runs = useLegacyRuns();
  const { act, problem } = useLegacyAction();
  const first = workflows.find(({ status }) => status === 'live') ?? workflows[0];
  const start = () => {
    if (!first) return;
    const title = displayTitle(first.key, first.metadata.title);
    // A run's name has at most 100 characters.
    act(() => startRun(first.key, `${cutText(title, 80)} - ${formatSharedDate(Date.now())}`));
  };
  return (
    <section className={classNames('sheet', styles.legacyBox)} aria-labelledby="legacy-runs">
      <div className="row between">
        <h2 className="title-sm" id="legacy-runs">
          Runs
        </h2>
        <Button
          size="sm"
          disabledReason={startProblem(user) ?? (first ? undefined : 'A run needs a workflow')}
          onClick={start}
        >
          Start run
        </Button>
      </div>
      {problem && <Note tone="bad">{problem}</Note>}
      {runs.isPending && <LoadingLine>Loading runs...</LoadingLine>}
      {runs.error && !runs.data && <Note tone="bad">{runs.error.message}</Note>}
      {runs.data?.length === 0 && <p className="muted">No runs</p>}
      <ul className="lines">
        {runs.data?.map((run) => (
          <li key={run.id} className={styles.legacyLine}>
            <Link to={paths.run(run.id)}>{run.name}</Link>
            <StatusBadge status={run.status} />
            <span className="muted">
              {run.stepsCompleted} of {run.stepsTotal} steps
            </span>
            {run.status === 'running' && run.currentStepIds.length > 0 && (
              <Button
                size="sm"
                disabledReason={completeProblem(user)}
                onClick={() => act(() => completeFirstStep(run))}
              >
                Complete first step<span className="vh"> of {run.name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
