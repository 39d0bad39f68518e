import type { Run, RunStep } from '@stet/contract';
import { StepCard } from './step-card.tsx';
import { StepPanel } from './step-panel.tsx';
import type { Asking } from './run-dialogs.tsx';
import type { RunActions } from './use-run-actions.ts';

type OpenStepProps = {
  run: Run;
  step: RunStep;
  /** The server's clock in milliseconds. */
  now: number;
  actions: RunActions;
  asking: Asking;
  onAsk: (asking: Asking) => void;
};

/** A step that stands open, with what it asks for; without that while the run is paused. */
export function OpenStep({ run, step, now, actions, asking, onAsk }: OpenStepProps) {
  const isPaused = run.status === 'paused';
  return (
    <StepCard step={step} now={now} runStatus={run.status}>
      {!isPaused && (
        <StepPanel
          run={run}
          step={step}
          typed={actions.typedFor(step.id)}
          onType={(name, text) => actions.type(step.id, name, text)}
          pending={actions.pendingOn(step.id)}
          error={asking.for === 'nothing' ? actions.errorOn(step.id) : null}
          onChange={(change) => {
            if (change.do === 'complete' && step.actsFor === 'helper') onAsk({ for: 'help', step, change });
            else actions.change(change);
          }}
          onSkip={() => onAsk({ for: 'skip', step })}
        />
      )}
    </StepCard>
  );
}
