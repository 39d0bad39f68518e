import type { ActsFor } from '../access/step-access.ts';
import { type Clock, dueAt, type SlaState } from '../sla/clock.ts';
import type { Deadline } from '../sla/deadline.ts';
import type { Step } from '../workflows/step.ts';

/** What a step leaves behind, and what facts carry: plain JSON, so that it lives in a column. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/**
 * Who acts; with `personId`, a token, for which that person answers. `also` has further people whose act it is as much, by id:
 * an act of an account that nobody has proved yet counts as its inviter's too.
 */
export type RunActor = {
  id: string;
  name: string;
  email: string;
  kind: 'user' | 'system' | 'token';
  personId?: string;
  also?: readonly string[];
};

/** The person whose doing it is: what separates people separates them from their tokens as well. */
export const personBehind = ({ id, personId }: RunActor): string => personId ?? id;

/** All people behind an act, the one who acts first; nobody behind an act of the server. */
export const peopleBehind = (actor: RunActor): readonly string[] =>
  actor.kind === 'system' ? [] : [personBehind(actor), ...(actor.also ?? [])];

/** True if anyone is behind both acts. */
export function isSamePerson(one: RunActor, other: RunActor): boolean {
  const people = peopleBehind(one);
  return peopleBehind(other).some((id) => people.includes(id));
}

/** The server itself, as the one who finishes automated steps. */
export const SYSTEM_ACTOR: RunActor = { id: 'system', name: 'system', email: '', kind: 'system' };

/** What a run needs of the version that it is pinned to. The steps have passed `checkGraph`. */
export type RunWorkflow = { steps: readonly Step[] };

/** `actsFor` is absent from acts of those whom the step names. */
type Done = { by: RunActor; at: number; actsFor?: ActsFor };

export type Vote = Done & { comments: string | null };

/** Someone's agreement to skip a step. */
export type SkipVote = Done & { reason: string };

/** Input of a manual step that waits for another person's approval. */
export type Submission = Done & { output: JsonObject; notes: string | null };

/** Why a step has to be done again. */
export type Return = Done & { comments: string };

/**
 * The latest rejection of an approval step, which stays with it until it is approved. `by` is null if the run was rejected before
 * this was recorded; `retriedAlone` if those rejected retried it, since nobody else could.
 */
export type Rejection = { by: RunActor | null; at: number; comments: string; retriedAlone?: boolean };

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

export type WaitingStep = { state: 'waiting'; activation: number; rejected?: Rejection };

export type ActiveStep = Began & {
  state: 'active';
  votes: Vote[];
  /** Absent until someone agrees to skip the step. */
  skipVotes?: SkipVote[];
  submitted: Submission | null;
  returned: Return | null;
  rejected?: Rejection;
};

type CompletedStep = Began & {
  state: 'completed';
  completedAt: number;
  by: RunActor;
  actsFor?: ActsFor;
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
  /** All who agreed to it and all who had done a part of the step before; absent from steps skipped before this was recorded. */
  hands?: RunActor[];
  rejected?: Rejection;
  slaVerdict: SlaState | null;
} & ({ onward: true; clock: Began } | { onward: false; clock: null });

type FailedStep = Began & {
  state: 'failed';
  failedAt: number;
  reason: string;
  /** True where the simulation failed, which stands in for a script (rulings, section 6). */
  simulated?: boolean;
  rejected?: Rejection;
  slaVerdict: SlaState | null;
};

/** One step of a run, a union on `state`. */
export type StepState = WaitingStep | ActiveStep | CompletedStep | SkippedStep | FailedStep;

/** A run that was cancelled while a rejection stood in it. */
export type RestartedRun = { runId: string; name: string; cancelledAt: number };

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
  /** The rejected run of the same workflow that whoever started this one had cancelled shortly before. */
  restartOf?: RestartedRun;
  /** The time of the latest fact: no later fact is dated before it. */
  updatedAt: number;
};

/** A run without its steps, a union on `status` (rulings, section 6). */
export type RunHead = RunBasics &
  (
    | { status: 'running' }
    /** `by` and `reason` are absent from pauses that began before they were recorded. */
    | { status: 'paused'; pausedSince: number; by?: RunActor; reason?: string | null; escalated?: boolean }
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
