import type { Step } from '@stet/domain/workflows';
import { lazy, Suspense } from 'react';
import { whenIdle } from '../../../lib/when-idle.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { ApprovalFields } from './approval-fields.tsx';
import { ManualFields } from './manual-fields.tsx';
import './step-config.css';

// Each brings its editor or the language of conditions with it; most steps need none of them.
const loadAutomated = async () => ({ default: (await import('./automated-fields.tsx')).AutomatedFields });
const loadCondition = async () => ({ default: (await import('./condition-fields.tsx')).ConditionFields });
const loadNotification = async () => ({ default: (await import('./notification-fields.tsx')).NotificationFields });
const AutomatedFields = lazy(loadAutomated);
const ConditionFields = lazy(loadCondition);
const NotificationFields = lazy(loadNotification);

const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;

/**
 * Brings what the dialogs need, one after the other whenever the page has nothing else to do, from the first sign that
 * somebody is at work: it is more than the builder itself, and no part of its first load. Gives what stops it.
 */
export function loadStepFieldsWhenIdle(): () => void {
  const over = new AbortController();
  const begin = async (): Promise<void> => {
    for (const load of [loadNotification, loadCondition, loadAutomated]) {
      await new Promise<void>((resolve) => whenIdle(resolve));
      if (over.signal.aborted) return;
      // What can't be loaded now is asked for again by the dialog, which says so where that fails too.
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
  /** All steps of the workflow, in their order. */
  steps: readonly Step[];
  readOnly: boolean;
  /** Saving was tried: what is wrong is said also where nobody has been yet. */
  tried: boolean;
  /** The step with other settings; of a condition also with another `next`. */
  onChange: (step: Step) => void;
};

/** What a step of its type has besides title, description, SLA and assignee. Only reads where `readOnly`. */
export function StepConfigFields(props: StepConfigFieldsProps) {
  return (
    <fieldset className="step-config" disabled={props.readOnly}>
      <legend className="vh">Settings of this {props.step.type} step</legend>
      <Suspense fallback={<SkeletonRows rows={2} label="Loading settings" />}>
        <FieldsOf {...props} />
      </Suspense>
    </fieldset>
  );
}

function FieldsOf({ step, steps, readOnly, tried, onChange }: StepConfigFieldsProps) {
  // What is typed in one step's editors is nothing of another's.
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
