import type { Run, RunStep } from '@stet/contract';
import { StepCard } from './step-card.tsx';
import { StepPanel } from './step-panel.tsx';
import { StepThread } from './step-thread.tsx';
import type { RunActions } from './use-run-actions.ts';

type OpenStepProps = {
  run: Run;
  step: RunStep;
  /** The server's time in milliseconds. */
  now: number;
  actions: RunActions;
  /** Receives the text of a note that isn't sent yet. */
  onText: (text: string) => void;
};

/** An open step with its notes and its action panel. While the run is paused, the panel is hidden. */
export function OpenStep({ run, step, now, actions, onText }: OpenStepProps) {
  return (
    <StepCard step={step} now={now} runStatus={run.status}>
      {run.status !== 'paused' && <StepPanel run={run} step={step} actions={actions} />}
      <StepThread run={run} step={step} now={now} onText={onText} />
    </StepCard>
  );
}
