import type { Step } from '@stet/domain/steps';
import { lazy, Suspense } from 'react';
import { whenIdle } from '../../../../lib/when-idle.ts';
import { SkeletonRows } from '../../../../ui/skeleton.tsx';
import { ApprovalFields } from './approval-fields.tsx';
import { ManualFields } from './manual-fields.tsx';
import styles from './step-config.module.css';

// These load on demand together with the code editor or the condition language, which most steps don't need.
const loadAutomated = async () => ({ default: (await import('./automated-fields.tsx')).AutomatedFields });
const loadCondition = async () => ({ default: (await import('./condition-fields.tsx')).ConditionFields });
const loadNotification = async () => ({ default: (await import('./notification-fields.tsx')).NotificationFields });
const AutomatedFields = lazy(loadAutomated);
const ConditionFields = lazy(loadCondition);
const NotificationFields = lazy(loadNotification);

const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;

/**
 * Preloads the code of the dialogs from the first interaction on, one part after another while the page is idle. It is
 * larger than the builder and therefore not part of its first load. Returns a function that stops it.
 */
export function loadStepFieldsWhenIdle(): () => void {
  const over = new AbortController();
  const begin = async (): Promise<void> => {
    for (const load of [loadNotification, loadCondition, loadAutomated]) {
      await new Promise<void>((resolve) => whenIdle(resolve));
      if (over.signal.aborted) return;
      // If preloading fails, the dialog tries again and reports a failure.
      await load().catch(() => undefined);
    }
  };
  const awaiting = new AbortController();
  const signal = AbortSignal.any([awaiting.signal, over.signal]);
  for (const sign of SIGNS) {
    window.addEventListener(
      sign,
      () => {
        awaiting.abort();
        void begin();
      },
      { signal, passive: true },
    );
  }
  return () => over.abort();
}

type StepConfigFieldsProps = {
  step: Step;
  /** All steps of the workflow, in order. */
  steps: readonly Step[];
  readOnly: boolean;
  /** Whether the person has tried to save. Errors are then also shown at untouched fields. */
  tried: boolean;
  /** Receives the step with its new settings and, for a condition, its new `next`. */
  onChange: (step: Step) => void;
};

/** The settings of a step, except its title, description, SLA and assignee. */
export function StepConfigFields(props: StepConfigFieldsProps) {
  return (
    <fieldset className={styles.stepConfig} disabled={props.readOnly}>
      <legend className="vh">Settings of this {props.step.type} step</legend>
      <Suspense fallback={<SkeletonRows rows={2} label="Loading settings" />}>
        <FieldsOf {...props} />
      </Suspense>
    </fieldset>
  );
}

function FieldsOf({ step, steps, readOnly, tried, onChange }: StepConfigFieldsProps) {
  // The key separates the editors of different steps, so that text typed in one never appears in another.
  switch (step.type) {
    case 'manual':
      return <ManualFields key={step.id} step={step} tried={tried} onChange={onChange} />;
    case 'approval':
      return <ApprovalFields key={step.id} step={step} steps={steps} onChange={onChange} />;
    case 'automated':
      return <AutomatedFields key={step.id} step={step} steps={steps} readOnly={readOnly} onChange={onChange} />;
    case 'condition':
      return <ConditionFields key={step.id} step={step} steps={steps} readOnly={readOnly} onChange={onChange} />;
    case 'notification':
      return <NotificationFields key={step.id} step={step} steps={steps} readOnly={readOnly} onChange={onChange} />;
  }
}
