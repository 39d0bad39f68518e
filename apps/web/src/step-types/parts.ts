import type { Run, RunStep } from '@stet/contract';
import type { ServerStepType, Step, StepReport, StepType } from '@stet/domain/steps';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { StepPanelProps } from './run/step-panel-props.ts';
import type { SettingsProps } from './settings/settings-props.ts';

/** A note on a step. A problem prevents saving the workflow; a hint doesn't. */
export type StepNote = { kind: 'problem' | 'hint'; text: string };

/** Text, and an expression that belongs to it or is empty. */
export type WithExpression = { words: string; expression: string };

/** How a step that the server executed has ended. */
export type StepOutcome = WithExpression & {
  /** Whether the words contain everything in the step's output. */
  isWholeOutput: boolean;
};

type OfType<T extends StepType> = Extract<Step, { type: T }>;

type Parts<S extends Step> = {
  icon: LucideIcon;
  /** The effect of a step of the type, for the builder's palette. */
  purpose: string;
  /** Problems and hints about the settings, including missing ones. */
  notes?(step: S): StepNote[];
  /** The expression to show if the step has no description; empty if there is none. */
  expression?(step: S): string;
};

type PersonParts = {
  /** Loads the panel in which people complete the step. */
  loadPanel: () => Promise<ComponentType<StepPanelProps>>;
};

type ServerParts<S extends Step, Report> = {
  /** The server's work in the active step, without a full stop. `planned` is the step in the run's version. */
  activity(planned: S, step: RunStep): WithExpression;
  /** How the step ended. Null if its output says everything. */
  outcome(report: Report, planned: S, run: Pick<Run, 'workflow'>): StepOutcome | null;
};

/** What a step type adds to the web app. */
export type StepParts<T extends StepType> = Parts<OfType<T>> & {
  /** Loads the type's settings form. */
  loadSettings: () => Promise<ComponentType<SettingsProps<OfType<T>>>>;
} & (T extends ServerStepType ? ServerParts<OfType<T>, Extract<StepReport, { kind: T }>> : PersonParts);

/** Any type's parts, except its settings form. */
export type AnyParts = Parts<Step> & Partial<PersonParts> & Partial<ServerParts<Step, StepReport>>;
