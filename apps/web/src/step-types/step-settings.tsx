import { STEP_TYPES, type Step, type StepType } from '@stet/domain/steps';
import { Suspense, lazy } from 'react';
import type { ComponentType } from 'react';
import { whenIdle } from '../lib/when-idle.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { STEP_PARTS } from './registry.ts';
import { CheckField } from './settings/check-field.tsx';
import type { SettingsProps } from './settings/settings-props.ts';
import { withSetting } from './settings/with-setting.ts';
import styles from './settings/step-settings.module.css';

/** A form that loads on demand, because the code editor and the condition language are large. */
const formOf = (type: StepType) =>
  lazy(async () => {
    const form = await STEP_PARTS[type].loadSettings();
    // A form only receives steps of its own type.
    return { default: form as ComponentType<SettingsProps<Step>> };
  });

const FORMS = Object.fromEntries(STEP_TYPES.map((type) => [type, formOf(type)])) as Record<
  StepType,
  ReturnType<typeof formOf>
>;

const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;

/**
 * Preloads the forms after the first interaction, one after another while the page is idle. Returns a function that
 * stops preloading.
 */
export function loadSettingsWhenIdle(): () => void {
  const over = new AbortController();
  const begin = async (): Promise<void> => {
    for (const type of STEP_TYPES) {
      await new Promise<void>((resolve) => whenIdle(resolve));
      if (over.signal.aborted) return;
      // If preloading fails, the dialog tries again and reports a failure.
      await STEP_PARTS[type].loadSettings().catch(() => undefined);
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

const withSkip = (config: Step['config'], isNever: boolean): Step['config'] =>
  withSetting(config, 'skip', isNever ? 'never' : undefined);

/** A step's settings, except its title, description, SLA and assignee. */
export function StepSettings(props: SettingsProps<Step>) {
  const { step, readOnly, onChange } = props;
  const Form = FORMS[step.type];
  return (
    <fieldset className={styles.stepConfig} disabled={readOnly}>
      <legend className="vh">Settings for this {step.type} step</legend>
      <Suspense fallback={<SkeletonRows rows={2} label="Loading settings" />}>
        {/* The key separates the forms of different steps, so that text typed in one never appears in another. */}
        <Form key={step.id} {...props} />
        <CheckField
          label="Nobody can skip this step"
          checked={step.config.skip === 'never'}
          onChange={(checked) => onChange({ ...step, config: withSkip(step.config, checked) })}
        />
      </Suspense>
    </fieldset>
  );
}
