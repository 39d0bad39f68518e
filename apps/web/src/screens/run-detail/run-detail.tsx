import type { Run } from '@stet/contract';
import { useState } from 'react';
import { openSteps } from '../../features/runs/model/panel-of.ts';
import { ReasonDialog } from '../../features/runs/parts/reason-dialog.tsx';
import { RunHeader } from '../../features/runs/parts/run-header.tsx';
import { RunHistory } from '../../features/runs/parts/run-history.tsx';
import { StepCard } from '../../features/runs/parts/step-card.tsx';
import { StepPanel } from '../../features/runs/parts/step-panels.tsx';
import { StepProgress } from '../../features/runs/parts/step-progress.tsx';
import { useNow } from '../../lib/use-now.ts';
import { Who } from '../../ui/avatar.tsx';
import { RunNotes } from './run-notes.tsx';
import { useRunActions } from './use-run-actions.ts';

type Asking = { for: 'nothing' } | { for: 'skip'; stepId: string; title: string } | { for: 'cancel' };

type RunDetailProps = {
  run: Run;
  /** When the run was loaded, by this browser's clock. */
  updatedAt: number;
  /** The last refresh failed; the run is as it was before. */
  hasFailed: boolean;
};

export function RunDetail({ run, updatedAt, hasFailed }: RunDetailProps) {
  const [asking, setAsking] = useState<Asking>({ for: 'nothing' });
  const close = () => setAsking({ for: 'nothing' });
  const actions = useRunActions(run, close);
  // Due times are the server's; this browser's clock may be off.
  const now = useNow(15_000) + (run.now - updatedAt);
  const open = openSteps(run.steps);
  const isPaused = run.status === 'paused';

  return (
    <>
      <RunHeader
        run={run}
        pending={actions.pending?.do ?? null}
        onPause={() => actions.change({ do: 'pause' })}
        onResume={() => actions.change({ do: 'resume' })}
        onCancel={() => setAsking({ for: 'cancel' })}
      />
      <RunNotes run={run} actions={actions} hasFailed={hasFailed} />
      <div className="run-cols">
        <div className="run-main">
          {open.length > 0 && (
            <section aria-labelledby="current-steps">
              <h2 id="current-steps">Current Step(s) - Action Required</h2>
              <div className="step-cards">
                {open.map((step) => (
                  <StepCard key={step.id} step={step} now={now} isPaused={isPaused}>
                    {!isPaused && (
                      <StepPanel
                        step={step}
                        pending={actions.pendingOn(step.id)}
                        error={asking.for === 'nothing' ? actions.errorOn(step.id) : null}
                        onChange={actions.change}
                        onSkip={() => setAsking({ for: 'skip', stepId: step.id, title: step.title })}
                      />
                    )}
                  </StepCard>
                ))}
              </div>
            </section>
          )}
          <NextSteps steps={run.nextSteps} />
          <section aria-labelledby="workflow-progress">
            <h2 id="workflow-progress">Workflow Progress</h2>
            <StepProgress steps={run.steps} now={now} />
          </section>
        </div>
        <aside className="run-side" aria-label="History">
          <RunHistory run={run} />
        </aside>
      </div>
      {asking.for === 'skip' && (
        <ReasonDialog
          title={`Skip ${asking.title}?`}
          confirmLabel="Skip step"
          cancelLabel="Cancel"
          busy={actions.pending?.do === 'skip' && 'Skipping…'}
          error={actions.errorOn(asking.stepId)}
          onConfirm={(reason) => actions.change({ do: 'skip', stepId: asking.stepId, reason })}
          onClose={close}
        >
          The run goes on without it, and the history says who skipped it and why.
        </ReasonDialog>
      )}
      {asking.for === 'cancel' && (
        <ReasonDialog
          title="Cancel this run?"
          confirmLabel="Cancel run"
          cancelLabel="Keep it running"
          danger
          requiredSentence="Say why the run is cancelled"
          busy={actions.pending?.do === 'cancel' && 'Cancelling…'}
          error={actions.runError}
          onConfirm={(reason) => actions.change({ do: 'cancel', reason })}
          onClose={close}
        >
          It ends for good where it is. Its history stays.
        </ReasonDialog>
      )}
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
            <Who name={step.owner} />
          </li>
        ))}
      </ul>
    </section>
  );
}
