import { isolated } from '@stet/domain/workflows';
import type { Run } from '@stet/contract';
import { openSteps } from '../../features/runs/model/open-steps.ts';
import { runTitle } from '../../features/runs/model/run-title.ts';
import { OpenStep } from '../../features/runs/components/open-step.tsx';
import { RunDialogs } from '../../features/runs/components/run-dialogs.tsx';
import { RunHeader } from '../../features/runs/components/run-header.tsx';
import { RunHistory } from '../../features/runs/components/run-history.tsx';
import { RunNotes } from '../../features/runs/components/run-notes.tsx';
import { StepProgress } from '../../features/runs/components/step-progress.tsx';
import { type ShownRunProps, useShownRun } from '../../features/runs/components/use-shown-run.ts';
import { VersionLink } from '../../features/runs/components/version-link.tsx';
import { runShortId } from '../../lib/format/run-short-id.ts';
import { paths } from '../../lib/paths.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import { Who } from '../../ui/avatar.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { useFocusOnward } from '../../ui/use-focus-onward.ts';
import { classNames } from '../../ui/class-names.ts';
import runPageStyles from '../../features/runs/components/run-page.module.css';
import stepCardStyles from '../../features/runs/components/step-card.module.css';
import runDetailScreenStyles from './run-detail-screen.module.css';

export function RunDetail({ run: answered, updatedAt, hasFailed }: ShownRunProps) {
  const { run, now, actions, leftBehind, leaving } = useShownRun(answered, updatedAt);
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
        onPause={() => actions.ask({ for: 'pause' })}
        onCancel={() => actions.ask({ for: 'cancel' })}
      />
      <RunNotes run={run} actions={actions} leftBehind={leftBehind} leaving={leaving} hasFailed={hasFailed} />
      <div className={runPageStyles.runCols}>
        <div className={runPageStyles.runMain} ref={main}>
          {open.length > 0 && (
            <section aria-labelledby="current-steps">
              <h2 id="current-steps">
                {run.status === 'running' ? 'Current Step(s) - Action Required' : 'Current Step(s)'}
              </h2>
              <div className={stepCardStyles.stepCards}>
                {open.map((step) => (
                  <OpenStep key={step.id} run={run} step={step} now={now} actions={actions} />
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
        <aside className={runPageStyles.runSide} aria-label="History">
          <RunHistory run={run} />
        </aside>
      </div>
      <RunDialogs actions={actions} />
    </>
  );
}

function NextSteps({ steps }: { steps: Run['nextSteps'] }) {
  const { personOf } = usePeople();
  if (steps.length === 0) return null;
  return (
    <section aria-labelledby="next-steps">
      <h2 id="next-steps">Next Step(s)</h2>
      <ul className={classNames('sheet lines', runDetailScreenStyles.nextSteps)}>
        {steps.map((step) => (
          <li key={step.id} className="row between">
            <span>{step.name}</span>
            <Who {...personOf(step.owner || 'Unassigned')} />
          </li>
        ))}
      </ul>
    </section>
  );
}
