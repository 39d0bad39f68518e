import { STEP_TYPES, type StepType } from '@stet/domain/steps';
import { RefreshCw } from 'lucide-react';
import { type ComponentType, createElement, use } from 'react';
import { useCan, useOrganization } from '../../../lib/session/signed-in.ts';
import { BecauseNote } from '../../../step-types/run/because-note.tsx';
import { StepActions } from '../../../step-types/run/step-actions.tsx';
import { ScriptLog } from '../../../step-types/run/step-output.tsx';
import type { StepPanelProps } from '../../../step-types/run/step-panel-props.ts';
import styles from '../../../step-types/run/step-panel.module.css';
import { partsOf } from '../../../step-types/registry.ts';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { logLines } from '../model/step-outcome.ts';
import { textsOf } from '../model/typed-input.ts';
import { Condition } from './condition.tsx';
import type { RunActions } from './use-run-actions.ts';

/** The panels by step type. They load together with this file, while the run itself is loading. */
const LOADED_PANELS = Promise.all(
  STEP_TYPES.map(async (type) => [type, (await partsOf(type).loadPanel?.()) ?? WaitingPanel] as const),
).then((panels) => new Map(panels));
// If loading fails, rendering a run reports it.
LOADED_PANELS.catch(() => undefined);

/** Suspends until the panels are loaded. A page that calls it first never shows a part of itself without its panel. */
export const useStepPanels = (): ReadonlyMap<StepType, ComponentType<StepPanelProps>> => use(LOADED_PANELS);

type ActOnStep = Pick<StepPanelProps, 'run' | 'step'> & { actions: RunActions };

/** The panel where people act on an active or failed step. */
export function StepPanel({ run, step, actions }: ActOnStep) {
  const panels = useStepPanels();
  const canWrite = useCan('run.note');
  const isTeam = useOrganization()?.type === 'team';
  const canAsk = canWrite && isTeam;
  const props: StepPanelProps = {
    run,
    step,
    typed: textsOf(actions.typed, step),
    onType: (name, text) => actions.type(step, name, text),
    pending: actions.pendingOn(step.id),
    // A dialog shows its own errors.
    error: actions.asking.for === 'nothing' ? actions.errorOn(step.id) : null,
    onChange: (change) => actions.changeStep(step, change),
    onSkip: () => actions.ask({ for: 'skip', step }),
    onAsk: canAsk ? () => actions.ask({ for: 'question', step }) : null,
  };
  if (step.state === 'failed') return <FailedPanel {...props} />;
  return createElement(panels.get(step.type) ?? WaitingPanel, props);
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
