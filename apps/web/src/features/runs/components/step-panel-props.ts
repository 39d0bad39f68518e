import type { Run, RunStep } from '@stet/contract';
import type { RunChange } from '../api/use-change-run.ts';
import type { Typed } from '../model/step-form.ts';

/** The props of all step panels. */
export type StepPanelProps = {
  run: Run;
  step: RunStep;
  /** The typed input that hasn't been sent yet. */
  typed: Typed;
  onType: (name: string, text: string) => void;
  /** The action in progress on this step. */
  pending: RunChange['do'] | null;
  /** The error of the last attempt on this step. */
  error: string | null;
  /** Rejects if the server refuses, so that a form can show the refusal at its fields. */
  onChange: (change: RunChange) => Promise<void>;
  onSkip: () => void;
};
