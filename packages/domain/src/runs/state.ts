import { type Clock, dueAt, type SlaState } from '../sla/clock.ts';
import type { Deadline } from '../sla/deadline.ts';
import type { Step } from '../workflows/step.ts';

/** What a step leaves behind, and what facts carry: plain JSON, so that it lives in a column. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** Who acts; with `personId`, a token, for which that person answers. */
export type RunActor = {
  id: string;
  name: string;
  email: string;
  kind: 'user' | 'system' | 'token';
  personId?: string;
};

/** The person whose doing it is: what separates people separates them from their tokens as well. */
export const personBehind = ({ id, personId }: RunActor): string => personId ?? id;

/** The server itself, as the one who finishes automated steps. */
export const SYSTEM_ACTOR: RunActor = { id: 'system', name: 'system', email: '', kind: 'system' };

/** What a run needs of the version that it is pinned to. The steps have passed `checkGraph`. */
export type RunWorkflow = { steps: readonly Step[] };

export type Vote = { by: RunActor; at: number; comments: string | null };

/** Input of a manual step that waits for another person's approval. */
export type Submission = { by: RunActor; at: number; output: JsonObject; notes: string | null };

/** Why a step has to be done again. */
export type Return = { by: RunActor; at: number; comments: string };

/** How a step ended that no person completes. */
export type StepReport =
  | { kind: 'automated'; simulated: boolean; reportedMs: number | null }
  | { kind: 'condition'; result: boolean }
  | { kind: 'notification'; undeliverable: string[] };

/**
 * `activation` counts how often the step became active; a job names the one it was made for. It outlives returns.
 * `pausedMs` is how long the clock stood still since the activation; `dueAt` (null without an SLA) has that added.
 */
type Began = {
  activation: number;
  activatedAt: number;
  dueAt: number | null;
  pausedMs: number;
  /** The moment from which it is at risk, where working hours are counted. */
  riskAt?: number;
  /** Absent until the clock crossed the first of its two moments and people were told. */
  told?: SlaTold;
};

/**
 * What was told of a clock. `at` is when, the last time; from a breach on people are told again each `againAfterMs` (null: they aren't),
 * `reminders` times so far.
 */
export type SlaTold =
  | { state: 'at_risk'; at: number }
  | { state: 'breached'; at: number; againAfterMs: number | null; reminders: number };

export type WaitingStep = { state: 'waiting'; activation: number };

export type ActiveStep = Began & {
  state: 'active';
  votes: Vote[];
  submitted: Submission | null;
  returned: Return | null;
};

type CompletedStep = Began & {
  state: 'completed';
  completedAt: number;
  by: RunActor;
  output: Json;
  votes: Vote[];
  submitted: Submission | null;
  report: StepReport | null;
  slaVerdict: SlaState | null;
  /** The share of its SLA that it used, where working hours are counted. */
  usedShare?: number;
};

/**
 * `onward` tells the two kinds of skip apart: true when a person skipped an active step, after which the run goes on
 * behind it; false when no branch that was taken led to it, so that what only it leads to is skipped too. The latter
 * never became active for this: its `clock` is null.
 */
type SkippedStep = {
  state: 'skipped';
  activation: number;
  skippedAt: number;
  by: RunActor;
  reason: string | null;
  slaVerdict: SlaState | null;
} & ({ onward: true; clock: Began } | { onward: false; clock: null });

type FailedStep = Began & {
  state: 'failed';
  failedAt: number;
  reason: string;
  /** True where the simulation failed, which stands in for a script (rulings, section 6). */
  simulated?: boolean;
  slaVerdict: SlaState | null;
};

/** One step of a run, a union on `state`. */
export type StepState = WaitingStep | ActiveStep | CompletedStep | SkippedStep | FailedStep;

type RunBasics = {
  startedAt: number;
  startedBy: RunActor;
  /** The longest path through the steps' SLAs in milliseconds; null without any. */
  targetMs: number | null;
  /** How long all pauses that are over lasted together. */
  pausedMs: number;
  /** When the run itself is due, where working hours are counted. */
  deadline?: Deadline;
  /** As of a step's clock, of the run's own. */
  told?: SlaTold;
  /** The time of the latest fact: no later fact is dated before it. */
  updatedAt: number;
};

/** A run without its steps, a union on `status` (rulings, section 6). */
export type RunHead = RunBasics &
  (
    | { status: 'running' }
    | { status: 'paused'; pausedSince: number }
    | { status: 'completed'; endedAt: number }
    /** Not final: the failed step can be retried. */
    | { status: 'failed'; endedAt: number; stepId: string; reason: string }
    | { status: 'cancelled'; endedAt: number; by: RunActor; reason: string }
  );

/** The whole state of a run: plain JSON, `steps` has every step of the workflow by its id. */
export type RunState = RunHead & { steps: { [stepId: string]: StepState } };

export type RunStatus = RunState['status'];
export const RUN_STATUSES = [
  'running',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly RunStatus[];

/** The state of one step; undefined for an id that is no step of the run, such as a word that every object knows. */
export function stepStateOf(state: RunState, stepId: string): StepState | undefined {
  return Object.hasOwn(state.steps, stepId) ? state.steps[stepId] : undefined;
}

/** Whether a step holds nothing up any more. */
export function isSettled(step: StepState | undefined): step is CompletedStep | SkippedStep {
  return step?.state === 'completed' || step?.state === 'skipped';
}

/** The clock of the run as a whole: from its start, against its target. */
export function ownClock({ startedAt, pausedMs, targetMs, deadline }: RunHead): Clock {
  return { activatedAt: startedAt, pausedMs, ...(deadline ?? { dueAt: dueAt(startedAt + pausedMs, targetMs) }) };
}

/**
 * When the clocks of a run stopped for good; null while they go or rest. Failing stops none: only pauses do, and the run may
 * be taken up again (rulings, section 7).
 */
export function clocksEndOf(run: RunHead): number | null {
  return run.status === 'failed' ? null : endOf(run);
}

/** When a run ended; null while it is running or paused. */
export function endOf(run: RunHead): number | null {
  return run.status === 'running' || run.status === 'paused' ? null : run.endedAt;
}
