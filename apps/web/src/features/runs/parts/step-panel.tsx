import type { Step } from '@stet/domain/workflows';
import { RefreshCw } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { panelOf } from '../model/panel-of.ts';
import { logLines } from '../model/step-outcome.ts';
import { waitingWords } from '../model/waiting-words.ts';
import { InputPanel } from './input-panel.tsx';
import { StepActions } from './step-actions.tsx';
import { OutputLines, ScriptLog } from './step-output.tsx';
import type { StepPanelProps } from './step-panel-props.ts';
import { VotePanel } from './vote-panel.tsx';
import './step-panel.css';

/** What a step asks for, by its type and state. */
export function StepPanel(props: StepPanelProps) {
  const panel = panelOf(props.step);
  switch (panel.kind) {
    case 'input':
      return <InputPanel {...props} />;
    case 'submitted':
      return (
        <div className="step-panel">
          <p className="two">{panel.by} has given the input. Another person has to approve it.</p>
          <OutputLines step={props.step} quoted />
          <VotePanel {...props} />
        </div>
      );
    case 'approval':
      return <VotePanel {...props} />;
    case 'waiting':
      return <WaitingPanel {...props} />;
    case 'failed':
      return <FailedPanel {...props} reason={panel.reason} />;
  }
}

function WaitingPanel({ run, step, error, onSkip }: StepPanelProps) {
  const plan: Step | undefined = run.workflow.steps.find(({ id }) => id === step.id);
  const { words, code } = waitingWords(step, plan);
  return (
    <div className="step-panel">
      <p className="two row">
        {run.status === 'running' && <Spinner />}
        {run.status === 'running' ? words : 'Goes on when the run does'}
      </p>
      {code && <code className="mono expression">{code}</code>}
      {error && <Note tone="bad">{error}</Note>}
      <StepActions step={step} onSkip={onSkip} />
    </div>
  );
}

function FailedPanel({ run, step, pending, error, onChange, onSkip, reason }: StepPanelProps & { reason: string }) {
  return (
    <div className="step-panel">
      <Note tone="bad">Step failed: {reason}</Note>
      {step.rejection && !step.abilities.retry && (
        <p className="two">Someone whose own work was not rejected can retry it.</p>
      )}
      <ScriptLog lines={logLines(run.history, step.id)} open />
      {error && <Note tone="bad">{error}</Note>}
      <StepActions step={step} onSkip={onSkip}>
        {step.abilities.retry && (
          <Button
            icon={RefreshCw}
            busy={pending === 'retry' && 'Retrying…'}
            onClick={() => onChange({ do: 'retry', stepId: step.id })}
          >
            Retry
          </Button>
        )}
      </StepActions>
    </div>
  );
}
