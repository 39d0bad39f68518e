import { isolated } from '@stet/domain/workflows';
import { Link } from 'react-router';
import { openSteps } from '../../features/runs/model/panel-of.ts';
import { runTitle } from '../../features/runs/model/run-title.ts';
import { OpenStep } from '../../features/runs/parts/open-step.tsx';
import { RunDialogs } from '../../features/runs/parts/run-dialogs.tsx';
import { RunHeader } from '../../features/runs/parts/run-header.tsx';
import { RunHistory } from '../../features/runs/parts/run-history.tsx';
import { RunNotes } from '../../features/runs/parts/run-notes.tsx';
import { StepProgress } from '../../features/runs/parts/step-progress.tsx';
import { type ShownRunProps, useShownRun } from '../../features/runs/parts/use-shown-run.ts';
import { VersionLink } from '../../features/runs/parts/version-link.tsx';
import { runShortId } from '../../lib/format/run-short-id.ts';
import { paths } from '../../lib/paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useFocusOnward } from '../../ui/use-focus-onward.ts';

/** The steps in their order, those that wait open in their place. */
export function RunExecution({ run: answered, updatedAt, hasFailed }: ShownRunProps) {
  const { run, now, asking, setAsking, close, actions } = useShownRun(answered, updatedAt);
  const main = useFocusOnward<HTMLElement>(['article', 'h2']);
  const open = new Set(openSteps(run.steps));
  const current = run.currentStepIds.length;
  return (
    <>
      <RunHeader
        run={run}
        now={now}
        title={run.workflow.title || run.workflowKey}
        id={
          <Link to={paths.run(run.id)} className="mono" title="Run details">
            {runShortId(run.id)}
          </Link>
        }
        of={
          <>
            {isolated(runTitle(run))}, on <VersionLink run={run} />
          </>
        }
        ways={
          <>
            <ButtonLink to={paths.runs} tone="quiet">
              Back to Runs
            </ButtonLink>
            <ButtonLink to={paths.workflows()} tone="quiet">
              Back to Workflows
            </ButtonLink>
          </>
        }
        counts={
          <>
            <b>{current}</b> current {current === 1 ? 'step' : 'steps'}
          </>
        }
        actions={actions}
        onPause={() => setAsking({ for: 'pause' })}
      />
      <RunNotes run={run} actions={actions} hasFailed={hasFailed} />
      <div className="run-cols">
        <section className="run-main" aria-labelledby="run-steps" ref={main}>
          <h2 id="run-steps" className="vh">
            Steps
          </h2>
          <StepProgress
            run={run}
            now={now}
            inPlace={(step) =>
              open.has(step) ? (
                <OpenStep run={run} step={step} now={now} actions={actions} asking={asking} onAsk={setAsking} />
              ) : null
            }
          />
        </section>
        <aside className="run-side" aria-label="History">
          <RunHistory run={run} />
        </aside>
      </div>
      <RunDialogs asking={asking} actions={actions} onClose={close} />
    </>
  );
}
