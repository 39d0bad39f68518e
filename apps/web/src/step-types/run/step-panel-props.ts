import type { Run, RunStep } from '@stet/contract';
import type { Evidence } from '@stet/domain/steps';
import type { Typed } from './typed.ts';

export type FieldValue = string | number | boolean | string[] | (Evidence | { name: string })[];

/** A person's input for a step: text, and the form's values by field id. */
export type StepOutput = { text: string; fields?: Record<string, FieldValue> };

/** The actions on a step. */
export type StepChange =
  | { do: 'complete'; stepId: string; output: StepOutput; onBehalfOf?: string }
  | { do: 'approve'; stepId: string; comments: string; onBehalfOf?: string }
  | { do: 'reject'; stepId: string; comments: string; onBehalfOf?: string }
  | { do: 'skip'; stepId: string; reason: string }
  | { do: 'retry'; stepId: string }
  | { do: 'claim'; stepId: string }
  | { do: 'release'; stepId: string }
  /** `to` is a member's id, or `group:` and a slug. */
  | { do: 'hand_over'; stepId: string; to: string; reason: string };

export type StepPanelProps = {
  run: Run;
  step: RunStep;
  /** The name of the delegator, if the user acts for one; otherwise null. */
  actsAs: string | null;
  /** The typed input that hasn't been sent yet. */
  typed: Typed;
  onType: (name: string, text: string) => void;
  /** The action in progress on this step. */
  pending: StepChange['do'] | null;
  /** The last attempt's error on this step. */
  error: string | null;
  /** Rejects if the server refuses, so that a form can show the refusal next to its fields. */
  onChange: (change: StepChange) => Promise<void>;
  onSkip: () => void;
  /** Null if there is nobody to ask. */
  onAsk: (() => void) | null;
  onHandOver: () => void;
};
