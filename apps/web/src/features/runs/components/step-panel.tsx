import { STEP_TYPES, type StepType } from '@stet/domain/steps';
import { RefreshCw } from 'lucide-react';
import type { RunStep } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { type ComponentType, createElement, use, useState } from 'react';
import { useCan, useOrganization } from '../../../lib/session/signed-in.ts';
import { BecauseNote } from '../../../step-types/run/because-note.tsx';
import { HeldNote } from '../../../step-types/run/held-note.tsx';
import { StepActions } from '../../../step-types/run/step-actions.tsx';
import { ScriptLog } from '../../../step-types/run/step-output.tsx';
import type { StepChange, StepPanelProps } from '../../../step-types/run/step-panel-props.ts';
import styles from '../../../step-types/run/step-panel.module.css';
import { partsOf } from '../../../step-types/registry.ts';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
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

/** Suspends until the panels are loaded. A page that calls this first is never shown without its panels. */
export const useStepPanels = (): ReadonlyMap<StepType, ComponentType<StepPanelProps>> => use(LOADED_PANELS);

type ActOnStep = Pick<StepPanelProps, 'run' | 'step'> & { actions: RunActions };

/** The panel where people act on an active or failed step, for themselves or for someone who delegated it to them. */
export function StepPanel({ run, step: given, actions }: ActOnStep) {
  const panels = useStepPanels();
  const [wanted, setWanted] = useState<string | null>(null);
  const { complete, approve, reject } = given.abilities;
  const canSelf = complete || approve || reject;
  const lent =
    given.delegated.find(({ onBehalfOf }) => onBehalfOf.id === wanted) ?? (canSelf ? undefined : given.delegated[0]);
  const step = lent ? asDelegate(given, lent) : given;
  const canWrite = useCan('run.note');
  const isTeam = useOrganization()?.type === 'team';
  const canAsk = canWrite && isTeam;
  const props: StepPanelProps = {
    run,
    step,
    actsAs: lent?.onBehalfOf.name ?? null,
    typed: textsOf(actions.typed, step),
    onType: (name, text) => actions.type(step, name, text),
    pending: actions.pendingOn(step.id),
    // A dialog shows its own errors.
    error: actions.asking.for === 'nothing' ? actions.errorOn(step.id) : null,
    onChange: (change) => actions.changeStep(step, lent ? forDelegator(change, lent.onBehalfOf.id) : change),
    onSkip: () => actions.ask({ for: 'skip', step }),
    onHandOver: () => actions.ask({ for: 'hand_over', step }),
    onAsk: canAsk ? () => actions.ask({ for: 'question', step }) : null,
  };
  if (step.state === 'failed') return <FailedPanel {...props} />;
  const choices = [
    ...(canSelf ? [{ value: '', label: 'Myself' }] : []),
    ...given.delegated.map(({ onBehalfOf: { id, name } }) => ({ value: id, label: name })),
  ];
  return (
    <>
      <HeldNote step={step} />
      {choices.length > 1 ? (
        <SegmentedControl
          label="Act for"
          value={lent?.onBehalfOf.id ?? ''}
          options={choices}
          className={styles.actFor}
          onChange={setWanted}
        />
      ) : (
        lent && <p className="two">{isolated(lent.onBehalfOf.name)} delegated this to you.</p>
      )}
      {createElement(panels.get(step.type) ?? WaitingPanel, props)}
    </>
  );
}

/** The step with the user's abilities on behalf of a delegator: only completing, approving and rejecting. */
const asDelegate = (
  step: RunStep,
  { complete, approve, reject }: Pick<RunStep['delegated'][number], 'complete' | 'approve' | 'reject'>,
): RunStep => ({
  ...step,
  abilities: { complete, approve, reject, skip: false, retry: false, claim: false, release: false, handOver: false },
  actsFor: null,
  because: null,
});

const forDelegator = (change: StepChange, onBehalfOf: string): StepChange =>
  change.do === 'complete' || change.do === 'approve' || change.do === 'reject' ? { ...change, onBehalfOf } : change;

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
      <ScriptLog lines={logLines(run.history, step.id)} label={`Script of step ${step.title}`} open />
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
