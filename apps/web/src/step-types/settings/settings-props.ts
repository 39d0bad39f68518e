import type { Step } from '@stet/domain/steps';

/** The props of a step's settings. */
export type SettingsProps<S extends Step> = {
  step: S;
  /** All steps of the workflow, in order. */
  steps: readonly Step[];
  readOnly: boolean;
  /** Whether the person has tried to save. Errors are then also shown at untouched fields. */
  tried: boolean;
  /** Receives the step with its new settings and, for a condition, its new `next`. */
  onChange: (step: S) => void;
};
