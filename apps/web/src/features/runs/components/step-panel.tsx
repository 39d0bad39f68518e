import { STEP_TYPES, type StepType } from '@stet/domain/steps';
import { RefreshCw } from 'lucide-react';
import { Suspense, lazy } from 'react';
import { BecauseNote } from '../../../step-types/run/because-note.tsx';
import { StepActions } from '../../../step-types/run/step-actions.tsx';
import { ScriptLog } from '../../../step-types/run/step-output.tsx';
import type { StepPanelProps } from '../../../step-types/run/step-panel-props.ts';
import styles from '../../../step-types/run/step-panel.module.css';
import { partsOf } from '../../../step-types/registry.ts';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { logLines } from '../model/step-outcome.ts';
import { Condition } from './condition.tsx';
import type { RunActions } from './use-run-actions.ts';

/** The panel for a step type. It loads together with this file, while the run itself is loading. */
function panelOf(type: StepType) {
  const loading = partsOf(type)
    .loadPanel?.()
    .then((panel) => ({ default: panel }));
  // If loading fails, rendering the panel reports it.
  loading?.catch(() => undefined);
  return loading ? lazy(() => loading) : WaitingPanel;
}

const PANELS = Object.fromEntries(STEP_TYPES.map((type) => [type, panelOf(type)])) as Record<
  StepType,
  ReturnType<typeof panelOf>
>;

type ActOnStep = Pick<StepPanelProps, 'run' | 'step'> & { actions: RunActions };

/** The panel where people act on an active or failed step. */
export function StepPanel({ run, step, actions }: ActOnStep) {
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
  if (step.state === 'failed') return <FailedPanel {...props} />;
  const Panel = PANELS[step.type];
  return (
    <Suspense fallback={<SkeletonRows rows={2} label="Loading step" />}>
      <Panel {...props} />
    </Suspense>
  );
}

/** The server executes the step. A person can only wait or skip it. */
function WaitingPanel({ run, step, error, onSkip }: StepPanelProps) {
  const planned = run.workflow.steps.find(({ id }) => id === step.id);
  const activity = planned && partsOf(step.type).activity?.(planned, step);
  return (
    <div className={styles.stepPanel}>
      <p className="two row">
        {run.status === 'running' && <Spinner />}
        {run.status === 'running' ? activity?.words : 'Continues when the run is resumed'}
      </p>
      {activity?.expression && <Condition of={activity.expression} run={run} className={styles.expression} />}
      {error && <Note tone="bad">{error}</Note>}
      <StepActions step={step} onSkip={onSkip} />
    </div>
  );
}

function FailedPanel({ run, step, pending, error, onChange, onSkip }: StepPanelProps) {
  return (
    <div className={styles.stepPanel}>
      <Note tone="bad">Step failed: {step.reason ?? 'no reason was given'}</Note>
      {step.rejection && !step.abilities.retry && !step.because && (
        <p className="two">Someone whose own work wasn’t rejected can retry this step.</p>
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
