import { openSteps } from '../../features/runs/model/open-steps.ts';
import { Conversation } from '../../features/runs/components/conversation.tsx';
import { OpenStep } from '../../features/runs/components/open-step.tsx';
import { RunDialogs } from '../../features/runs/components/run-dialogs.tsx';
import { RunHeader } from '../../features/runs/components/run-header.tsx';
import { RunHistory } from '../../features/runs/components/run-history.tsx';
import { RunBanners } from '../../features/runs/components/run-banners.tsx';
import { StepProgress } from '../../features/runs/components/step-progress.tsx';
import { type ShownRunProps, useShownRun } from '../../features/runs/components/use-shown-run.ts';
import { useFocusOnward } from '../../ui/use-focus-onward.ts';
import styles from '../../features/runs/components/run-page.module.css';

/** The steps in order, the open ones with their panels, and the run's conversation and history. */
export function RunExecution({ run: answered, updatedAt, hasFailed }: ShownRunProps) {
  const { run, now, actions, unsentText, writeNote, leaving } = useShownRun(answered, updatedAt);
  const main = useFocusOnward<HTMLElement>(['article', 'h2']);
  const open = new Set(openSteps(run.steps));
  return (
    <div className={styles.run}>
      <RunHeader run={run} now={now} actions={actions} />
      <RunBanners run={run} actions={actions} unsentText={unsentText} leaving={leaving} hasFailed={hasFailed} />
      <div className={styles.runCols}>
        <section className={styles.runMain} aria-labelledby="run-steps" ref={main}>
          <h2 id="run-steps" className="vh">
            Steps
          </h2>
          <StepProgress
            run={run}
            now={now}
            inPlace={(step) =>
              open.has(step) ? (
                <OpenStep
                  run={run}
                  step={step}
                  now={now}
                  actions={actions}
                  onText={(text) => writeNote(step.id, text)}
                />
              ) : null
            }
          />
        </section>
        <aside className={styles.runSide} aria-label="Conversation and history">
          <Conversation run={run} now={now} onText={(text) => writeNote('run', text)} />
          <RunHistory run={run} />
        </aside>
      </div>
      <RunDialogs run={run} actions={actions} />
    </div>
  );
}
