import type { Run } from '@stet/contract';
import { openSteps } from '../../features/runs/model/open-steps.ts';
import { Conversation } from '../../features/runs/components/conversation.tsx';
import { OpenStep } from '../../features/runs/components/open-step.tsx';
import { RunDialogs } from '../../features/runs/components/run-dialogs.tsx';
import { RunHeader } from '../../features/runs/components/run-header.tsx';
import { RunHistory } from '../../features/runs/components/run-history.tsx';
import { RunBanners } from '../../features/runs/components/run-banners.tsx';
import { StepProgress } from '../../features/runs/components/step-progress.tsx';
import { type ShownRunProps, useShownRun } from '../../features/runs/components/use-shown-run.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import { Who } from '../../ui/avatar.tsx';
import { useFocusOnward } from '../../ui/use-focus-onward.ts';
import { classNames } from '../../ui/class-names.ts';
import runPageStyles from '../../features/runs/components/run-page.module.css';
import stepCardStyles from '../../features/runs/components/step-card.module.css';
import runDetailScreenStyles from './run-detail-screen.module.css';

export function RunDetail({ run: answered, updatedAt, hasFailed }: ShownRunProps) {
  const { run, now, actions, unsentText, writeNote, leaving } = useShownRun(answered, updatedAt);
  const main = useFocusOnward<HTMLDivElement>(['article', 'h2']);
  const open = openSteps(run.steps);
  return (
    <div className={runPageStyles.run}>
      <RunHeader run={run} now={now} actions={actions} />
      <RunBanners run={run} actions={actions} unsentText={unsentText} leaving={leaving} hasFailed={hasFailed} />
      <div className={runPageStyles.runCols}>
        <div className={runPageStyles.runMain} ref={main}>
          {open.length > 0 && (
            <section className={runPageStyles.open} aria-labelledby="current-steps">
              <h2 id="current-steps">
                {run.status === 'running' ? 'Current Step(s) - Action Required' : 'Current Step(s)'}
              </h2>
              <div className={stepCardStyles.stepCards}>
                {open.map((step) => (
                  <OpenStep
                    key={step.id}
                    run={run}
                    step={step}
                    now={now}
                    actions={actions}
                    onText={(text) => writeNote(step.id, text)}
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
        <aside className={runPageStyles.runSide} aria-label="Conversation and history">
          <Conversation run={run} now={now} onText={(text) => writeNote('run', text)} />
          <RunHistory run={run} />
        </aside>
      </div>
      <RunDialogs run={run} actions={actions} />
    </div>
  );
}

function NextSteps({ steps }: { steps: Run['nextSteps'] }) {
  const { personOf } = usePeople();
  if (steps.length === 0) return null;
  return (
    <section className={runPageStyles.next} aria-labelledby="next-steps">
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
