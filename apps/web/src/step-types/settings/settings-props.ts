import type { Step } from '@stet/domain/steps';

export type SettingsProps<S extends Step> = {
  step: S;
  /** All steps of the workflow, in order. */
  steps: readonly Step[];
  readOnly: boolean;
  /** Whether the person has tried to save. If so, errors are also shown on untouched fields. */
  tried: boolean;
  /** Receives the step with its new settings and, for a condition, its new `next`. */
  onChange: (step: S) => void;
};
