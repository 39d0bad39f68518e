import { isolated } from '@stet/domain/workflows';
import type { Run } from '@stet/contract';
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
import { Who } from '../../ui/avatar.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { useFocusOnward } from '../../ui/use-focus-onward.ts';

export function RunDetail({ run: answered, updatedAt, hasFailed }: ShownRunProps) {
  const { run, now, asking, setAsking, close, actions } = useShownRun(answered, updatedAt);
  const main = useFocusOnward<HTMLDivElement>(['article', 'h2']);
  const open = openSteps(run.steps);
  return (
    <>
      <RunHeader
        run={run}
        now={now}
        title={runTitle(run)}
        id={<span className="mono muted">{runShortId(run.id)}</span>}
        of={
          <>
            {isolated(run.workflow.title || run.workflowKey)}, on <VersionLink run={run} />
          </>
        }
        ways={
          <ButtonLink to={paths.runs} tone="quiet">
            Back to Runs
          </ButtonLink>
        }
        counts={
          <>
            <b>{run.stepsTotal}</b> {run.stepsTotal === 1 ? 'step' : 'steps'}, <b>{run.currentStepIds.length}</b> active
          </>
        }
        actions={actions}
        onPause={() => setAsking({ for: 'pause' })}
        onCancel={() => setAsking({ for: 'cancel' })}
      />
      <RunNotes run={run} actions={actions} hasFailed={hasFailed} />
      <div className="run-cols">
        <div className="run-main" ref={main}>
          {open.length > 0 && (
            <section aria-labelledby="current-steps">
              <h2 id="current-steps">
                {run.status === 'running' ? 'Current Step(s) - Action Required' : 'Current Step(s)'}
              </h2>
              <div className="step-cards">
                {open.map((step) => (
                  <OpenStep
                    key={step.id}
                    run={run}
                    step={step}
                    now={now}
                    actions={actions}
                    asking={asking}
                    onAsk={setAsking}
                  />
                ))}
              </div>
            </section>
          )}
          <NextSteps steps={run.nextSteps} />
          <section aria-labelledby="workflow-progress">
            <h2 id="workflow-progress">Workflow Progress</h2>
            <StepProgress run={run} now={now} />
          </section>
        </div>
        <aside className="run-side" aria-label="History">
          <RunHistory run={run} />
        </aside>
      </div>
      <RunDialogs asking={asking} actions={actions} onClose={close} />
    </>
  );
}

function NextSteps({ steps }: { steps: Run['nextSteps'] }) {
  if (steps.length === 0) return null;
  return (
    <section aria-labelledby="next-steps">
      <h2 id="next-steps">Next Step(s)</h2>
      <ul className="sheet lines next-steps">
        {steps.map((step) => (
          <li key={step.id} className="row between">
            <span>{step.name}</span>
            <Who name={step.owner || 'Unassigned'} />
          </li>
        ))}
      </ul>
    </section>
  );
}
