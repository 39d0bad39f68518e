import type { Step } from '@stet/domain/steps';
import { RefreshCw } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { panelOf } from '../model/panel-of.ts';
import { logLines } from '../model/step-outcome.ts';
import { waitingWords } from '../model/waiting-words.ts';
import { BecauseNote } from './because-note.tsx';
import { InputPanel } from './input-panel.tsx';
import { StepActions } from './step-actions.tsx';
import { OutputLines, ScriptLog } from './step-output.tsx';
import type { StepPanelProps } from './step-panel-props.ts';
import type { RunActions } from './use-run-actions.ts';
import { VotePanel } from './vote-panel.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './step-panel.module.css';

type ActOnStep = Pick<StepPanelProps, 'run' | 'step'> & { actions: RunActions };

/** The action panel of a step, which depends on its type and state. */
export function StepPanel({ run, step, actions }: ActOnStep) {
  const panel = panelOf(step);
  const props: StepPanelProps = {
    run,
    step,
    typed: actions.typed[step.id] ?? {},
    onType: (name, text) => actions.type(step.id, name, text),
    pending: actions.pendingOn(step.id),
    // A dialog shows its own errors.
    error: actions.asking.for === 'nothing' ? actions.errorOn(step.id) : null,
    onChange: (change) => actions.changeStep(step, change),
    onSkip: () => actions.ask({ for: 'skip', step }),
  };
  switch (panel.kind) {
    case 'input':
      return <InputPanel {...props} />;
    case 'submitted':
      return (
        <div className={styles.stepPanel}>
          <p className="two">{panel.by} has entered the input. Another person must approve it.</p>
          <OutputLines step={step} quoted />
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
    <div className={styles.stepPanel}>
      <p className="two row">
        {run.status === 'running' && <Spinner />}
        {run.status === 'running' ? words : 'Continues when the run is resumed'}
      </p>
      {code && <code className={classNames('mono', styles.expression)}>{code}</code>}
      {error && <Note tone="bad">{error}</Note>}
      <StepActions step={step} onSkip={onSkip} />
    </div>
  );
}

function FailedPanel({ run, step, pending, error, onChange, onSkip, reason }: StepPanelProps & { reason: string }) {
  return (
    <div className={styles.stepPanel}>
      <Note tone="bad">Step failed: {reason}</Note>
      {step.rejection && !step.abilities.retry && !step.because && (
        <p className="two">A person whose own work wasn’t rejected can retry it.</p>
      )}
      <BecauseNote because={step.because} />
      <ScriptLog lines={logLines(run.history, step.id)} open />
      {error && <Note tone="bad">{error}</Note>}
      <StepActions step={step} onSkip={onSkip}>
        {step.abilities.retry && (
          <Button
            icon={RefreshCw}
            busy={pending === 'retry' && 'Retrying…'}
            onClick={() => void onChange({ do: 'retry', stepId: step.id }).catch(() => undefined)}
          >
            Retry
          </Button>
        )}
      </StepActions>
    </div>
  );
}
