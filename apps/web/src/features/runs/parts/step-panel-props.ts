import type { Run, RunStep } from '@stet/contract';
import type { RunChange } from '../api/use-change-run.ts';
import type { Typed } from '../model/step-form.ts';

/** What the panel of a step is given, whatever its type. */
export type StepPanelProps = {
  run: Run;
  step: RunStep;
  /** What is typed and not sent. */
  typed: Typed;
  onType: (name: string, text: string) => void;
  /** What is being done to this step now. */
  pending: RunChange['do'] | null;
  /** Why the last try on this step failed. */
  error: string | null;
  onChange: (change: RunChange) => void;
  onSkip: () => void;
};
